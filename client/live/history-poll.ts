import type { Client } from '@temporalio/client';
import { abortable } from '../temporal/abortable.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** A long poll on the history that survives continue-as-new. It only wakes: the task itself is asked what happened. */
export class HistoryPoll {
  readonly #client: Client;
  readonly #workflowId: string;
  #isOver = false;
  #token: Uint8Array | undefined;
  #runId: string | undefined;

  constructor(client: Client, workflowId: string) {
    this.#client = client;
    this.#workflowId = workflowId;
  }

  /** The server says that the task is closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when there is something new, or when the server ends the long poll without anything. */
  async next(signal: AbortSignal): Promise<void> {
    const client = this.#client;
    const ask = () =>
      client.connection.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId: this.#workflowId, ...(this.#runId === undefined ? {} : { runId: this.#runId }) },
        waitNewEvent: true,
        maximumPageSize: clientLimits.follow.historyPage,
        ...(this.#token === undefined ? {} : { nextPageToken: this.#token }),
      });
    const response = await abortable(client, signal, ask);
    if (response.nextPageToken.length > 0) {
      this.#token = response.nextPageToken;
      return;
    }
    const next = response.history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    this.#token = undefined;
    if (typeof next === 'string' && next !== '') this.#runId = next;
    else this.#isOver = true;
  }
}
