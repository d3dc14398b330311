import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
} from '@temporalio/workflow';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { packState, takeSurplus, unpackState } from '../../domain/carried/carried-state.ts';
import { inPages, inPieces } from '../../domain/views/page-items.ts';
import { isQueueName } from '../../domain/input/source-name.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { settingsOf } from '../../domain/task/read-state.ts';
import type { ArchivePage } from '../../domain/task/state.ts';
import { clip, utf8Length } from '../../domain/text/text.ts';
import { storeOptions } from './activity-options.ts';
import type { TaskInput, TaskResult } from './messages.ts';
import type { TaskRun } from './run/task-run.ts';

/** The state that one run hands to the next, or the place in the store where it is. */
export interface Carried {
  state: unknown;
  /** Pieces of the state's JSON, where it is too large for one value of the history. */
  pages?: { hostQueue: string; refs: Ref[] };
  updateIds: readonly string[];
}

/** Ends this run and starts the next. Returns only when the store does not take what must be stored first: then it is tried again later. */
export async function continueInNewRun(run: TaskRun): Promise<void> {
  if (run.carryOver.notBefore !== null && run.now < run.carryOver.notBefore) return;
  await condition(allHandlersFinished);
  const stored = await storePast(run);
  if (!stored) return;
  const carried = await pack(run);
  // An activity that ends by itself hides that the task was cancelled meanwhile; the next run would know nothing of it.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the task was cancelled');
  // Something happened while pages were stored: it is looked at first.
  if (carried === null || run.waking.changed) return;
  const input: TaskInput = { goal: clip(run.state.goal, limits.memoGoal) };
  return continueAsNew<(input: TaskInput, carried: Carried) => Promise<TaskResult>>(input, carried);
}

/** Ended attempts and older events go to the store. */
async function storePast(run: TaskRun): Promise<boolean> {
  const { state } = run;
  const {
    log: { archive },
  } = state;
  // Facts that were taken out of the state and not stored yet wait here, so that a failing store loses nothing.
  const { events, attempts } = takeSurplus(state);
  run.carryOver.surplus.push({ events: events.map((event) => ({ ...event, taskId: state.id })), attempts });
  while (run.carryOver.surplus.length > 0) {
    const [oldest] = run.carryOver.surplus;
    if (oldest === undefined) break;
    const first = oldest.events[0]?.id ?? 0;
    if (!(await storeAll(run, archive.events, oldest.events, first))) return false;
    if (!(await storeAll(run, archive.attempts, oldest.attempts, (archive.attempts.at(-1)?.to ?? 0) + 1))) return false;
    run.carryOver.surplus.shift();
  }
  return true;
}

/** Stores a stretch by pages; what is stored is taken from the front of it. */
async function storeAll(run: TaskRun, pages: ArchivePage[], items: unknown[], first: number): Promise<boolean> {
  let from = first;
  for (const page of inPages(items)) {
    const ref = await storePage(run, JSON.stringify(page));
    if (ref === undefined) return false;
    pages.push({ from, to: from + page.length - 1, ...ref });
    from += page.length;
    items.splice(0, page.length);
  }
  return true;
}

async function pack(run: TaskRun): Promise<Carried | null> {
  const state = packState(run.state);
  const updateIds = run.inbox.updateIds.slice(-limits.carriedUpdateIds);
  const text = JSON.stringify(state);
  if (utf8Length(text) <= limits.carriedBytes) return { state, updateIds };
  const refs: Ref[] = [];
  for (const piece of inPieces(text)) {
    const ref = await storePage(run, piece);
    if (ref === undefined) return null;
    refs.push(ref);
  }
  return { state: null, pages: { hostQueue: settingsOf(run.state).hostQueue, refs }, updateIds };
}

async function storePage(run: TaskRun, content: string): Promise<Ref | undefined> {
  const { state } = run;
  const { hostQueue } = settingsOf(state);
  const options = storeOptions(hostQueue, 'move older events and attempts to the store', limits.storeTries);
  const activities = proxyActivities<HostActivities>(options);
  try {
    const ref = await activities.storePage({ taskId: state.id, content });
    run.carryOver.trouble = null;
    run.carryOver.notBefore = null;
    return ref;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    run.carryOver.trouble = `older events cannot be moved to the store: ${clip(error.cause?.message ?? error.message, limits.summary)}`;
    run.carryOver.notBefore = run.now + limits.carryRetry;
    log.warn(run.carryOver.trouble, { error });
    run.publish();
    run.setAlarm();
    return undefined;
  }
}

/** Takes up what the run before knew. A state that cannot be read ends the task with a code: it would be stuck otherwise. */
export async function resumeFrom(run: TaskRun, carried: unknown): Promise<undefined> {
  // Anybody can start a workflow with a second argument.
  if (!isCarried(carried)) throw unreadable(run, 'The second argument is no state that a run before this one left.');
  const { state: held, pages, updateIds = [] } = carried;
  run.inbox.updateIds.push(...updateIds);
  // A task that is cancelled meanwhile ends with all that it knows, not without it.
  const read = (): Promise<unknown> => (pages === undefined ? Promise.resolve(held) : readState(run, pages));
  const state = unpackState(await CancellationScope.nonCancellable(read));
  if (state === undefined || state.id !== run.state.id)
    throw unreadable(run, 'This version of Heddle cannot read the state that the run before it left.');
  run.restore(state);
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the task was cancelled');
  return undefined;
}

function isCarried(value: unknown): value is Partial<Carried> {
  if (!isPlainObject(value)) return false;
  const { pages, updateIds = [] } = value;
  const areIds = Array.isArray(updateIds) && updateIds.every((id) => typeof id === 'string');
  return areIds && (pages === undefined || arePages(pages));
}

function arePages(value: unknown): value is NonNullable<Carried['pages']> {
  if (!isPlainObject(value)) return false;
  const { hostQueue, refs } = value;
  return typeof hostQueue === 'string' && isQueueName(hostQueue) && Array.isArray(refs) && refs.every(isPlainObject);
}

async function readState(run: TaskRun, { hostQueue, refs }: NonNullable<Carried['pages']>): Promise<unknown> {
  const options = storeOptions(hostQueue, 'load the state from the store', limits.patientTries);
  const { readPage } = proxyActivities<HostActivities>(options);
  const pieces: string[] = [];
  try {
    for (const page of refs) pieces.push(await readPage({ taskId: run.state.id, page }));
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    const why = clip(error.cause?.message ?? error.message, limits.summary);
    throw unreadable(run, `The state that the run before left cannot be read from the store: ${why}`);
  }
  try {
    return JSON.parse(pieces.join(''));
  } catch {
    return undefined;
  }
}

/** The task ends, and says why to a caller that asks: a state that cannot be read now cannot be read later either. */
function unreadable(run: TaskRun, reason: string): ApplicationFailure {
  run.inbox.ready = true;
  run.record({ type: 'task.ended', state: 'failed', reason, code: 'STATE_UNREADABLE' });
  run.publish();
  const failure = ApplicationFailure.nonRetryable(reason, 'STATE_UNREADABLE');
  failure.stack = '';
  return failure;
}
