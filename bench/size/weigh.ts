import type { Client, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

/** The size of what one run of a workflow left in its history. */
export interface RunWeight {
  events: number;
  bytes: number;
  /** Size of its state, as the next run got it; null for the last one. */
  carried: number | null;
}

export interface Weight {
  /** Oldest first. */
  runs: RunWeight[];
  /** The largest single value in any of the histories, and the event that holds it. */
  largest: { bytes: number; where: string };
}

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

/** Runs of a chain that are looked at: more than any bench makes. */
const mostRuns = 100;

/** Looks through the histories of all runs of a workflow. */
export async function weigh(client: Client, workflowId: string): Promise<Weight> {
  const runs: RunWeight[] = [];
  let largest = { bytes: 0, where: '' };
  let runId: string | undefined = (await client.workflow.getHandle(workflowId).describe()).runId;
  while (runId !== undefined && runs.length < mostRuns) {
    const handle: WorkflowHandle = client.workflow.getHandle(workflowId, runId);
    const { historySize } = await handle.describe();
    const events: HistoryEvents = (await handle.fetchHistory()).events ?? [];
    let carried: number | null = null;
    for (const event of events) {
      const [where = 'unknown'] = Object.keys(event).filter((key) => key.endsWith('Attributes'));
      for (const bytes of sizesIn(event)) if (bytes > largest.bytes) largest = { bytes, where };
      const next = event.workflowExecutionContinuedAsNewEventAttributes?.input?.payloads?.[1];
      if (next) carried = carriedBytes(next);
    }
    runs.unshift({ events: events.length, bytes: historySize ?? NaN, carried });
    runId = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return { runs, largest };
}

/** Size of the state itself: in the input of the next run, or in the pages that it names. */
function carriedBytes(payload: Payload): number {
  const { pages } = defaultPayloadConverter.fromPayload<{ pages?: { refs: { bytes: number }[] } }>(payload);
  if (pages === undefined) return payload.data?.byteLength ?? 0;
  return pages.refs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Bytes of each value in an event. */
function* sizesIn(value: unknown): Generator<number> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'data' && ArrayBuffer.isView(part)) yield part.byteLength;
    else yield* sizesIn(part);
  }
}
