import { ApplicationFailure, condition, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import * as messages from '../../workflows/task/messages.ts';

/** What a task that only answers says of itself: for tests of whoever asks it. */
export interface Script {
  /** Absent: it answers no question. */
  status?: StatusView;
  /** How many events and attempts it has, and how many a page holds. */
  events?: number;
  attempts?: number;
  page?: number;
  /** The last event tells that it is completed, whatever becomes of it. */
  tellsEnd?: boolean;
  /** Place of the older ones; the task itself holds only those behind. */
  archive?: messages.Archive;
}

export const noise = defineSignal<[unknown]>('noise');
/** From that number on it has other events, as after a server that was killed before it kept them. */
export const rewrite = defineSignal<[{ from: number; events: number }]>('rewrite');
export const finish = defineSignal<[{ fail?: string }]>('finish');

export async function task(script: Script): Promise<unknown> {
  const { status, attempts = 0, page = 1_000, tellsEnd = false, archive } = script;
  let { events = 0 } = script;
  let rewrittenFrom = Infinity;
  const where = archive ?? { events: [], attempts: [] };
  const held = (pages: readonly messages.ArchivePage[], after: number): number =>
    Math.max(after, pages.at(-1)?.to ?? 0);
  if (status !== undefined) setHandler(messages.status, () => status);
  setHandler(messages.archive, () => where);
  setHandler(messages.events, (query) =>
    numbers(held(where.events, query?.since ?? 0), events, page).map((id) =>
      event(id, { isEnd: tellsEnd && id === events, isRewritten: id >= rewrittenFrom }),
    ),
  );
  setHandler(messages.attempts, (query) =>
    numbers(held(where.attempts, query?.after ?? 0), attempts, page).map(attempt),
  );
  let end: { fail?: string } | undefined;
  setHandler(noise, () => undefined);
  setHandler(rewrite, (given) => {
    rewrittenFrom = given.from;
    events = given.events;
  });
  setHandler(finish, (how) => {
    end = how;
  });
  await condition(() => end !== undefined);
  if (end?.fail !== undefined) throw ApplicationFailure.nonRetryable('it did not fit', end.fail);
  return { state: 'completed', reason: 'all done' };
}

const numbers = (after: number, total: number, most: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(most, total - after)) }, (_, n) => after + n + 1);

function event(id: number, { isEnd, isRewritten }: { isEnd: boolean; isRewritten: boolean }): messages.EventOfTask {
  const taskId = workflowInfo().workflowId.replace(/^task-/, '');
  const common = {
    id,
    time: '2026-11-16T10:00:00.000Z',
    taskId,
    text: `${isRewritten ? 'another event' : 'event'} ${id}`,
  };
  if (isEnd) return { ...common, type: 'task.ended', state: 'completed' };
  return { ...common, type: 'subtask.started', subtask: 'a' };
}

const attempt = (number: number): AttemptView => ({
  subtask: 'a',
  attempt: number,
  rung: 1,
  tier: 1,
  thinking: false,
  strategy: 'first',
  startedAt: '2026-11-16T10:00:00.000Z',
  endedAt: null,
  outcome: 'running',
  type: null,
  category: null,
  signature: null,
  summary: '',
  details: '',
  rootCause: '',
  suggestedFix: '',
  filesAffected: [],
  verify: [],
  verdict: null,
  reruns: 0,
  waits: [],
  tokens: 0,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
  models: [],
  outputRef: null,
  transcriptRef: null,
});
