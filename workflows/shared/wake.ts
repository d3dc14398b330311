import { CancellationScope, CancelledFailure, condition } from '@temporalio/workflow';

/** What the main loop of a task waits on: whether something has changed that it has to look at. Whatever changes something says so. */
export class Waking {
  private readonly fewTurns: boolean;
  private hasChanged = true;
  /** Of the main loop, while it waits. */
  private waiting: { resolve(): void; reject(reason: Error): void } | null = null;
  private readonly root = CancellationScope.current();
  /** Of the whole workflow, by Temporal's own means. */
  private cancelled: Error | null = null;

  constructor(fewTurns: boolean) {
    this.fewTurns = fewTurns;
    if (fewTurns) this.root.cancelRequested.catch((reason: unknown) => this.cancel(reason));
  }

  get changed(): boolean {
    return this.hasChanged;
  }

  set changed(has: boolean) {
    this.hasChanged = has;
    // Of a task that is cancelled nothing goes on, whatever came with it.
    if (!has || this.waiting === null || this.root.consideredCancelled) return;
    this.waiting.resolve();
    this.waiting = null;
  }

  /** Waits until something has changed. The SDK looks at a condition by entering the workflow once more: it is for runs that began with one. */
  nextWake(): Promise<void> {
    if (!this.fewTurns) return condition(() => this.hasChanged);
    return new Promise((resolve, reject) => {
      if (this.cancelled !== null) reject(this.cancelled);
      else if (this.hasChanged && !this.root.consideredCancelled) resolve();
      else this.waiting = { resolve, reject };
    });
  }

  private cancel(reason: unknown): void {
    this.cancelled = reason instanceof Error ? reason : new CancelledFailure('the task was cancelled');
    this.waiting?.reject(this.cancelled);
    this.waiting = null;
  }
}
