import { CancellationScope } from '@temporalio/workflow';

/** A scope without a timeout has nothing to do when what runs in it has ended, so it makes no promises of its own: the SDK takes a stack trace of each. */
export class DirectScope extends CancellationScope {
  protected override runInContext<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}
