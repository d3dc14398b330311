import { workflowInfo } from '@temporalio/workflow';
import { limits } from '../../domain/limits/domain-limits.ts';

/** How long one run of a workflow has become. */
export class RunSize {
  /** Length of the history at the point where this run's own part begins. */
  private base = 0;

  /** Everything so far was only the state of the run before. */
  startHere(): void {
    this.base = workflowInfo().historyLength;
  }

  /** The server suggests a new run, and this one has done its part. */
  hasGrown(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested && historyLength - this.base >= limits.leastEventsOfRun;
  }

  /** `messages`: how many this run has taken; the server bounds them too. */
  nearsHardLimits(messages: number): boolean {
    const { historyLength, historySize, taskTimeoutMs } = workflowInfo();
    // A worker that takes the task over replays its history in one workflow task: what does not fit into its time never gets through.
    const replayable = Math.max(taskTimeoutMs / limits.replayTime, limits.leastReplayable);
    return (
      historyLength > Math.min(replayable, limits.drainAtEvents) ||
      historySize > limits.drainAtBytes ||
      messages > limits.drainAtMessages
    );
  }
}
