import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import { askAboutChecks } from '../../domain/decisions/ask-checks.ts';
import { beginRewordings } from '../../domain/decisions/escalate.ts';
import { applyDeadlines } from '../../domain/decisions/apply-deadlines.ts';
import { meetStall } from '../../domain/replan/handle-stall.ts';
import { beginReplan } from '../../domain/replan/replan.ts';
import { watchBudget } from '../../domain/decisions/watch-budget.ts';
import { leaveUnfinished } from '../../domain/ending/give-up.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { teachLessons } from '../../domain/attempt/lesson-context.ts';
import { buildTeaching } from '../../domain/memory/learned.ts';
import { watchRemedies } from '../../domain/remediation/watch-remedies.ts';
import type { SharedActivities } from '../../domain/types/activities.ts';
import type { PlanPreview } from '../../domain/types/planner.ts';
import { parseTaskId } from '../../domain/names/names.ts';
import { ending, type Ending } from '../../domain/schedule/task-ending.ts';
import { startable } from '../../domain/schedule/schedule.ts';
import { limitsOf, rowsOf, subtaskOf } from '../../domain/task/read-state.ts';
import { statusOf } from '../../domain/task/subtask-phase.ts';
import { newState, type TaskState } from '../../domain/task/state.ts';
import { listTaskResults } from '../../domain/views/task-results.ts';
import { hasEnded } from '../../domain/types/subtask.ts';
import { staleOf } from '../../domain/task/subtask-phase.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { takeCancelReason } from '../shared/cancel-reason.ts';
import { formatGoal } from '../../domain/plan/goal-text.ts';
import { rememberOptions } from './activity-options.ts';
import { continueInNewRun, resumeFrom, type Carried } from './continue-as-new.ts';
import { end, stopped } from './end-task.ts';
import type { TaskInput, TaskResult } from './messages.ts';
import { finishExtractions, startExtractions } from './extract.ts';
import { reword } from './reword.ts';
import { planAgain, prepare } from './prepare-plan.ts';
import { replan } from './replan.ts';
import { runAttempt } from './run-attempt.ts';
import { editPlan } from './edit-plan.ts';
import { serveMessages } from './serve-messages.ts';
import { TaskRun } from './run/task-run.ts';
import { writeLedgers } from './write-ledgers.ts';

/**
 * The workflow `task`: a task from its plan to its end. The main loop in `runPlan` starts what may start whenever the state has changed.
 * Four invariants hold it together. The state changes only through `run.record`, which applies an event. Whatever changes it wakes the
 * loop. Attempts, planners and rewordings run beside the loop and report their own end. A new run begins only when nothing is running.
 *
 * `carried` is the state of the run before, after continue-as-new.
 *
 * @example
 * ```ts
 * await Worker.create({ connection, taskQueue: 'heddle', workflowsPath: require.resolve('@heddle/heddle/workflows'), activities });
 * ```
 */
export async function task(input: TaskInput, carried?: Carried | null): Promise<TaskResult> {
  const isFirst = carried === undefined || carried === null;
  const run = new TaskRun(newState(parseTaskId(workflowInfo().workflowId), readGoal(input), Date.now()), {
    ready: isFirst,
  });
  serveMessages({ task: run, inbox: run.inbox, editPlan: (answer) => editPlan(run, answer) });
  try {
    const shown = isFirst ? await prepare(run, input) : await resumeFrom(run, carried);
    if (shown !== undefined) return finishPlanned(run, shown);
    await runPlan(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const reason = clip(oneLine(takeCancelReason() ?? 'someone cancelled it'), limits.summary);
    await CancellationScope.nonCancellable(() => stopWork(run, 'the task was cancelled', reason));
    await writeLedgers(run);
    await teach(run);
    end(run, 'cancelled', run.state.control.cancelling ?? reason);
    throw error;
  }
  const how = ending(run.state);
  if (how === null) throw new Error('the task has not ended');
  await finishExtractions(run);
  await writeLedgers(run);
  await teach(run);
  return finish(run, how);
}

/** Tells the project what the task learned, for the tasks that come after it. Its end is settled: nothing cancels it any more. */
async function teach({ state }: TaskRun): Promise<void> {
  if (state.plan.settings === null) return;
  const { workspace } = state.plan.settings;
  const lesson = buildTeaching(state.id, state.log.learned, workspace, teachLessons(state));
  if (lesson === null) return;
  const { rememberTask } = proxyActivities<SharedActivities>(rememberOptions);
  const { project } = state.plan.settings;
  try {
    await CancellationScope.nonCancellable(() => rememberTask({ project, lesson }));
  } catch (error) {
    log.warn('what was learned could not be shared with the project', { error });
  }
}

/** Starts what may start whenever something has changed, until every subtask has ended. */
async function runPlan(run: TaskRun): Promise<void> {
  const { state } = run;
  let draining = false;
  while (ending(state) === null) {
    run.waking.changed = false;
    if (run.work.fatalError !== undefined) throw run.work.fatalError;
    if (state.control.cancelling !== null) {
      if (state.control.stopCode === undefined) await stopped();
      await stopWork(run, state.control.cancelling);
      return;
    }
    if (state.planner.revision?.isWanted === true) await planAgain(run);
    applyDeadlines(run);
    watchBudget(run);
    watchRemedies(run);
    draining ||= run.size.nearsHardLimits(run.inbox.count);
    if (!draining) startPlanner(run);
    stopStale(run);
    if (!draining) startReady(run);
    if (!run.work.isRunning) meetStall(run);
    if (!draining) startRewordings(run);
    if (!draining) startExtractions(run);
    run.publish();
    run.setAlarm();
    if (run.isQuiet() && (draining || run.size.hasGrown())) await continueInNewRun(run);
    await run.waking.nextWake();
  }
  await stopPlanner(run);
}

/** Names of the work beside the attempts: no subtask is called so. */
const plannerName = '\u0000planner';
const rewordingName = '\u0000rewording';

/** Stops attempts that an older plan started, and a planner whose plan nobody waits for any more. */
function stopStale({ state, work }: TaskRun): void {
  for (const id of state.queue.running) if (staleOf(subtaskOf(state, id)) !== undefined) work.stop(id);
  if (state.planner.replan?.grant === undefined) work.stop(plannerName);
}

/** Somebody asked for a new plan: while a planner works on it, nothing of the old one starts. */
function startPlanner(run: TaskRun): void {
  const planning = beginReplan(run);
  if (planning !== null) run.work.start(plannerName, () => replan(run, planning));
}

/** Questions are open in words of ours; a model may find better ones. */
function startRewordings(run: TaskRun): void {
  for (const rewording of beginRewordings(run)) run.work.startBehind(rewordingName, () => reword(run, rewording));
}

/** The task may be finished with what is done while a planner works: what that has used still counts. */
async function stopPlanner(run: TaskRun): Promise<void> {
  run.work.stop(rewordingName);
  if (!run.work.isRunning) return;
  stopStale(run);
  await condition(() => !run.work.isRunning, limitsOf(run.state).cancelGrace, { summary: 'the planner stops' });
}

/** A start is shown in the same pass and makes nothing else possible: it does not ask for another one. */
function startReady(run: TaskRun): void {
  const { changed } = run.waking;
  askAboutChecks(run);
  // A new plan may stop one of them.
  const apart = run.state.plan.settings?.planner !== undefined;
  for (let ids = startable(run.state, Date.now()); ids.length > 0; ids = startable(run.state, Date.now())) {
    run.work.startAll(ids, (id) => runAttempt(run, id), { apart });
    if (run.work.fatalError !== undefined) throw run.work.fatalError;
  }
  run.waking.changed = changed;
}

/** Running programs are told to stop and waited for, within bounds; what has not ended is skipped. */
async function stopWork(run: TaskRun, reason: string, why = reason): Promise<void> {
  const { state } = run;
  run.stop(why);
  run.publish();
  const { cancelGrace } = limitsOf(state);
  const haveStopped = await condition(() => !run.work.isRunning, cancelGrace, { summary: 'running subtasks stop' });
  if (!haveStopped)
    run.record({ type: 'task.cancel-forced', running: [...state.queue.running], waitedMs: cancelGrace });
  for (const { id } of rowsOf(state)) {
    if (!hasEnded(statusOf(subtaskOf(state, id)))) leaveUnfinished(run, id, reason);
  }
}

/** Nothing but the plan was wanted. */
function finishPlanned(run: TaskRun, shown: PlanPreview): TaskResult {
  const { state } = run;
  const reason = 'the plan is made, and nothing has run';
  end(run, 'completed', reason);
  return {
    state: 'completed',
    reason,
    ...placeOf(state),
    subtasks: [],
    plan: { goal: state.goal, ...shown, degraded: state.plan.degraded === true },
  };
}

/** The ending was fixed before the last activity: a message that comes meanwhile changes nothing any more. */
function finish(run: TaskRun, how: Ending): TaskResult {
  end(run, how.state, how.reason, how.code);
  const { state } = run;
  const results = listTaskResults(state);
  if (how.state === 'completed') return { state: 'completed', reason: how.reason, ...placeOf(state), ...results };
  const failure = ApplicationFailure.nonRetryable(how.reason, how.code ?? 'TASK_FAILED', results);
  failure.stack = '';
  throw failure;
}

const placeOf = ({ plan: { settings } }: TaskState): Pick<TaskResult, 'host' | 'workspace'> => ({
  host: settings?.host ?? null,
  workspace: settings?.workspace ?? null,
});

/** A caller without types may send anything: `prepareTask` says what is wrong with it. */
function readGoal(input: unknown): string {
  return clip(formatGoal(input), limits.goal);
}
