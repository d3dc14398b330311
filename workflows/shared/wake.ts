import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

/**
 * The main loop of a workflow waits here until something has changed that it has to look at. Whatever changes something says so. The SDK
 * looks at a `condition` by entering the workflow once more, so this is a promise of its own.
 */
export class Waking {
  private hasChanged = true;
  /** The promise of the main loop, while it waits. */
  private waiting: { resolve(): void; reject(reason: Error): void } | null = null;
  private readonly root = CancellationScope.current();
  /** Set when Temporal has cancelled the whole workflow. */
  private cancelled: Error | null = null;

  constructor() {
    this.root.cancelRequested.catch((reason: unknown) => this.cancel(reason));
  }

  get changed(): boolean {
    return this.hasChanged;
  }

  set changed(has: boolean) {
    this.hasChanged = has;
    // A workflow that is cancelled does nothing more, whatever came with it.
    if (!has || this.waiting === null || this.root.consideredCancelled) return;
    this.waiting.resolve();
    this.waiting = null;
  }

  /** Waits until something has changed. */
  nextWake(): Promise<void> {
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
