import type { Client } from '@temporalio/client';
import { abortable } from '../temporal/abortable.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** A long poll on the history that survives continue-as-new. It only wakes: what happened is asked of the task. */
export class HistoryPoll {
  over = false;
  private token: Uint8Array | undefined;
  private runId: string | undefined;
  private readonly client: Client;
  private readonly workflowId: string;
  private readonly signal: AbortSignal | undefined;

  constructor(client: Client, workflowId: string, signal: AbortSignal | undefined) {
    this.client = client;
    this.workflowId = workflowId;
    this.signal = signal;
  }

  /** Resolves when there is something new, or after the server's own patience. */
  async next(): Promise<void> {
    const { client, signal } = this;
    const ask = () =>
      client.connection.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId: this.workflowId, ...(this.runId === undefined ? {} : { runId: this.runId }) },
        waitNewEvent: true,
        maximumPageSize: clientLimits.follow.historyPage,
        ...(this.token === undefined ? {} : { nextPageToken: this.token }),
      });
    const response = await abortable(client, signal, ask);
    if (response.nextPageToken.length > 0) {
      this.token = response.nextPageToken;
      return;
    }
    const next = response.history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    this.token = undefined;
    if (typeof next === 'string' && next !== '') this.runId = next;
    else this.over = true;
  }
}
