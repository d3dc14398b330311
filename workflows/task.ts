import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { planOptions } from '../domain/decisions/decision.ts';
import { ending, stalled, type Ending } from '../domain/task/ending.ts';
import { limits } from '../domain/limits.ts';
import { meetDeadlines } from '../domain/course/meet-deadlines.ts';
import { lessonOf } from '../domain/memory/memory.ts';
import { watchBudget } from '../domain/course/recover.ts';
import { startable } from '../domain/task/schedule.ts';
import { hasEnded, newState, subtaskOf, type TaskState } from '../domain/task/state.ts';
import type { HostActivities, SharedActivities } from './activities.ts';
import { cancelOptions, prepareOptions, rememberOptions, storeOptions } from './activity-options.ts';
import type { TaskInput, TaskResult } from './messages.ts';
import { runAttempt } from './run-attempt.ts';
import { serveMessages } from './serve-messages.ts';
import { TaskRun } from './task-run.ts';

/** A task from its plan to its end. `carried` and `updateIds` are what the run before knew, after continue-as-new. */
export async function task(
  input: TaskInput,
  carried?: TaskState,
  updateIds: readonly string[] = [],
): Promise<TaskResult> {
  const run = new TaskRun(carried ?? newState(taskId(), goalOf(input), Date.now()), updateIds);
  serveMessages(run);
  try {
    if (carried === undefined) await prepare(run, input);
    await runPlan(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => stopWork(run));
    await teach(run);
    end(run, 'cancelled', run.state.cancelling ?? 'somebody cancelled it');
    throw error;
  }
  const how = ending(run.state);
  if (how === null) throw new Error('the task has not ended');
  await teach(run);
  return finish(run, how);
}

/** What this task learned of failures goes to its project, for the tasks that come after it. Its end is settled: nothing cancels it any more. */
async function teach(run: TaskRun): Promise<void> {
  const { state } = run;
  if (state.task === null) return;
  const lesson = lessonOf(state.id, state.records, (id) => subtaskOf(state, id).guidance.at(-1), state.standing);
  if (lesson.signatures.length === 0 && lesson.answers.length === 0) return;
  const { rememberTask } = proxyActivities<SharedActivities>(rememberOptions);
  const { project } = state.task;
  try {
    await CancellationScope.nonCancellable(() => rememberTask({ project, lesson }));
  } catch (error) {
    log.warn('the project could not be told what was learned', { error });
  }
}

async function prepare(run: TaskRun, input: TaskInput): Promise<void> {
  const { state } = run;
  run.record({ type: 'task.started', goal: state.goal });
  run.publish();
  if (workflowInfo().memo?.['goal'] === undefined) upsertMemo({ goal: state.goal });
  const { prepareTask } = proxyActivities<SharedActivities>(prepareOptions(hostQueueOf(input)));
  try {
    run.record({ type: 'plan.ready', task: await prepareTask({ taskId: state.id, plan: input }) });
  } catch (error) {
    refuse(run, error);
  }
  for (const { id, verdict, result } of state.task?.reuse?.subtasks ?? []) {
    run.record({
      type: 'subtask.completed',
      subtask: id,
      verdict,
      reused: { task: state.task?.reuse?.task ?? '', result },
    });
  }
  const subtasks = state.task?.subtasks.length ?? 0;
  if (state.task?.planApproval === true) askForPlan(run, subtasks);
}

/** The plan or the machine does not fit: the task fails with the code that says so. */
function refuse(run: TaskRun, error: unknown): never {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  end(run, 'failed', cause.message, cause.type ?? undefined);
  const failure = ApplicationFailure.nonRetryable(cause.message, cause.type ?? 'TASK_FAILED', ...(cause.details ?? []));
  failure.stack = '';
  throw failure;
}

function askForPlan(run: TaskRun, subtasks: number): void {
  run.record({
    type: 'decision.opened',
    decision: {
      id: 'plan-1',
      kind: 'plan',
      subtask: null,
      problem: `The plan is ready. Shall it run?`,
      tried: [],
      recommendation: 'approve',
      options: planOptions(subtasks),
      openedAt: new Date().toISOString(),
      deadline: null,
      onTimeout: 'wait',
      signature: null,
    },
  });
}

/** Starts what may start whenever something has changed, until every subtask has ended. */
async function runPlan(run: TaskRun): Promise<void> {
  const { state } = run;
  let draining = false;
  while (ending(state) === null) {
    run.changed = false;
    if (run.broken !== undefined) throw run.broken;
    if (state.cancelling !== null) await stopped();
    meetDeadlines(run);
    watchBudget(run);
    draining ||= nearsHardLimits();
    if (!draining) startReady(run);
    checkStall(run);
    run.publish();
    run.setAlarm();
    if (isQuiet(run) && (draining || workflowInfo().continueAsNewSuggested)) await carryOn(run);
    await condition(() => run.changed);
  }
}

/** What a start changes is shown in the same pass and makes nothing else possible: it does not ask for another one. */
function startReady(run: TaskRun): void {
  const { changed } = run;
  for (const id of startable(run.state, Date.now())) run.start(() => runAttempt(run, id));
  run.changed = changed;
}

/** A person stopped the task: it cancels itself, so that it ends in Temporal's own words too. */
async function stopped(): Promise<never> {
  const { cancelTask } = proxyActivities<SharedActivities>(cancelOptions);
  await CancellationScope.nonCancellable(cancelTask);
  await condition(() => false);
  throw new Error('a cancelled workflow went on');
}

/** Running programs are told to stop and waited for, within bounds; what has not ended is left out. */
async function stopWork(run: TaskRun): Promise<void> {
  const { state } = run;
  run.stop('somebody cancelled it');
  run.publish();
  await condition(() => run.inFlight.size === 0, limits.cancelGrace, { summary: 'running subtasks stop' });
  for (const { id } of state.task?.subtasks ?? []) {
    if (!hasEnded(subtaskOf(state, id).status)) {
      run.record({ type: 'subtask.skipped', subtask: id, reason: 'the task was cancelled' });
    }
  }
}

/** Nothing runs and nothing may start: only then does a new run lose nothing. */
const isQuiet = (run: TaskRun): boolean => run.inFlight.size === 0 && !run.changed;

function nearsHardLimits(): boolean {
  const { historyLength, historySize } = workflowInfo();
  return historyLength > limits.drainAtEvents || historySize > limits.drainAtBytes;
}

async function carryOn(run: TaskRun): Promise<never> {
  const { state } = run;
  await condition(allHandlersFinished);
  const surplus = state.events.length - limits.carriedEvents;
  if (surplus > 0 && state.task !== null) {
    const page = state.events.slice(0, surplus);
    const { archiveEvents } = proxyActivities<HostActivities>(storeOptions(state.task, 'older events to the store'));
    const ref = await archiveEvents({ taskId: state.id, events: page });
    state.archived.push({ from: page[0]?.id ?? 0, to: page.at(-1)?.id ?? 0, ...ref });
    state.events = state.events.slice(surplus);
  }
  return continueAsNew<typeof task>({ goal: state.goal }, state, run.updateIds.slice(-limits.carriedUpdateIds));
}

function checkStall(run: TaskRun): void {
  const reasons = run.inFlight.size > 0 ? [] : stalled(run.state, Date.now());
  if (reasons.length === 0) return;
  run.record({ type: 'task.stalled', reasons });
  for (const { id } of run.state.task?.subtasks ?? []) {
    if (!hasEnded(subtaskOf(run.state, id).status))
      run.record({ type: 'subtask.failed', subtask: id, reason: 'nothing can start it' });
  }
}

/** The ending was fixed before the last activity: a message that comes meanwhile changes nothing any more. */
function finish(run: TaskRun, how: Ending): TaskResult {
  end(run, how.state, how.reason);
  if (how.state === 'completed') return { state: 'completed', reason: how.reason };
  const failure = ApplicationFailure.nonRetryable(how.reason, 'TASK_FAILED');
  failure.stack = '';
  throw failure;
}

function end(run: TaskRun, state: 'completed' | 'failed' | 'cancelled', reason: string, code?: string): void {
  run.record({ type: 'task.ended', state, reason, ...(code === undefined ? {} : { code }) });
  run.publish();
}

/** `HEDDLE_TASK_ID` has no prefix; a bare client may have chosen an id without one. */
function taskId(): string {
  return workflowInfo().workflowId.replace(/^task-/, '');
}

function goalOf(input: TaskInput): string {
  const goal = (input as TaskInput | undefined)?.['goal'];
  return typeof goal === 'string' && goal.trim() !== '' ? goal : 'a task without a goal';
}

/** A plan that names its host is prepared there, where its workspace is. */
function hostQueueOf(input: TaskInput): string | undefined {
  const host = (input as TaskInput | undefined)?.['host'];
  return typeof host === 'string' && host !== '' ? `${workflowInfo().taskQueue}-host-${host}` : undefined;
}
