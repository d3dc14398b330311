import { sleep, workflowInfo } from '@temporalio/workflow';
import { limits } from '../../domain/limits/domain-limits.ts';

/** All starts of one workflow task are one message to the server, which ends a task whose message is too large: the rest waits for the next. */
export class Admission {
  private readonly started = { at: -1, bytes: 0 };
  private nextTask: Promise<void> | null = null;

  /** Waits until inputs of this size fit into the completion of a workflow task. Null: they fit now. */
  admit(bytes: number): Promise<void> | null {
    return this.takes(bytes) ? null : this.later(bytes);
  }

  private async later(bytes: number): Promise<void> {
    do {
      this.nextTask ??= sleep(1, { summary: 'more starts' }).finally(() => {
        this.nextTask = null;
      });
      await this.nextTask;
    } while (!this.takes(bytes));
  }

  /** Counts what is to be started into the completion of this workflow task, if it fits. */
  private takes(bytes: number): boolean {
    const { historyLength } = workflowInfo();
    if (this.started.at !== historyLength) {
      this.started.at = historyLength;
      this.started.bytes = 0;
    }
    if (this.started.bytes > 0 && this.started.bytes + bytes > limits.startBytes) return false;
    this.started.bytes += bytes;
    return true;
  }
}
