import { CancellationScope, sleep } from '@temporalio/workflow';

/** One durable timer for whatever is due first; set again only when that changes. */
export class Alarm {
  private readonly ring: () => void;
  private set: { at: number; scope: CancellationScope } | null = null;

  constructor(ring: () => void) {
    this.ring = ring;
  }

  get isSet(): boolean {
    return this.set !== null;
  }

  /** Null: nothing is due. */
  setTo(at: number | null, formatReason: () => string): void {
    if (at === (this.set?.at ?? null)) return;
    this.set?.scope.cancel();
    this.set = null;
    if (at === null) return;
    const scope = new CancellationScope();
    this.set = { at, scope };
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: formatReason() }))
      .then(
        () => {
          this.set = null;
          this.ring();
        },
        () => undefined, // cancelled: another alarm or the end took its place
      );
  }
}
