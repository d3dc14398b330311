import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { askAboutChecks } from '../domain/course/ask-checks.ts';
import { planQuestion } from '../domain/course/ask-plan.ts';
import { beginPhrases } from '../domain/course/escalate.ts';
import { meetDeadlines } from '../domain/course/meet-deadlines.ts';
import { meetStall } from '../domain/course/meet-stall.ts';
import { beginReplan } from '../domain/course/replan.ts';
import { watchBudget } from '../domain/course/watch-budget.ts';
import { limits } from '../domain/limits.ts';
import { lessonFrom } from '../domain/memory/learned.ts';
import type { SharedActivities } from '../domain/model/activities.ts';
import { hostQueueOf as hostQueueName, taskIdOf } from '../domain/names.ts';
import { HeddleError } from '../domain/heddle-error.ts';
import { unpackPlan } from '../domain/plan/pack-plan.ts';
import { checkPlanSize } from '../domain/plan/plan-size.ts';
import { ending, type Ending } from '../domain/task/ending.ts';
import { startable } from '../domain/task/schedule.ts';
import { hasEnded, limitsOf, newState, rowsOf, settingOf, subtaskOf } from '../domain/task/state.ts';
import { clip } from '../domain/text/text.ts';
import type { PlanningRules, PlanPreview } from '../domain/model/planning.ts';
import type { Setting } from '../domain/model/setting.ts';
import { cancelOptions, prepareOptions, rememberOptions } from './activity-options.ts';
import { carryOn, resumeFrom, type Carried } from './carry-on.ts';
import type { TaskInput, TaskResult } from './messages.ts';
import { phrase } from './phrase.ts';
import { planGoal } from './plan-goal.ts';
import { replan } from './replan.ts';
import { runAttempt } from './run-attempt.ts';
import { serveMessages } from './serve-messages.ts';
import { TaskRun } from './task-run.ts';

/** A task from its plan to its end. `carried` is what the run before knew, after continue-as-new. */
export async function task(input: TaskInput, carried?: Carried | null): Promise<TaskResult> {
  const isFirst = carried === undefined || carried === null;
  const run = new TaskRun(newState(taskIdOf(workflowInfo().workflowId), goalOf(input), Date.now()), { ready: isFirst });
  serveMessages(run);
  try {
    const shown = isFirst ? await prepare(run, input) : await resumeFrom(run, carried);
    if (shown !== undefined) return finishPlanned(run, shown);
    await runPlan(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => stopWork(run, 'the task was cancelled'));
    await teach(run);
    end(run, 'cancelled', run.state.cancelling ?? 'someone cancelled it');
    throw error;
  }
  const how = ending(run.state);
  if (how === null) throw new Error('the task has not ended');
  await teach(run);
  return finish(run, how);
}

/** What this task learned of failures goes to its project, for the tasks that come after it. Its end is settled: nothing cancels it any more. */
async function teach({ state }: TaskRun): Promise<void> {
  if (state.setting === null) return;
  const lesson = lessonFrom(state.id, state.learned);
  if (lesson === null) return;
  const { rememberTask } = proxyActivities<SharedActivities>(rememberOptions);
  const { project } = state.setting;
  try {
    await CancellationScope.nonCancellable(() => rememberTask({ project, lesson }));
  } catch (error) {
    log.warn('what was learned could not be shared with the project', { error });
  }
}

/** Gives the plan where that is all that was asked for. */
async function prepare(run: TaskRun, input: TaskInput): Promise<PlanPreview | undefined> {
  const { state } = run;
  run.record({ type: 'task.started', goal: state.goal });
  run.publish();
  if (workflowInfo().memo?.['goal'] === undefined) upsertMemo({ goal: clip(state.goal, limits.memoGoal) });
  checkSize(run, input);
  const { prepareTask } = proxyActivities<SharedActivities>(prepareOptions(hostQueueOf(input)));
  const prepared = await prepareTask({ taskId: state.id, plan: input }).catch((error: unknown) => refuse(run, error));
  const { setting, reuse } = prepared;
  if (setting.planning !== undefined && prepared.plan.rows.length === 0) {
    const shown = await makePlan(run, setting, setting.planning);
    if (input['planOnly'] === true) return shown;
    askForPlan(run, setting, shown);
    return undefined;
  }
  run.record({ type: 'plan.ready', setting, plan: unpackPlan(prepared.plan) });
  for (const { id, verdict, result } of reuse?.subtasks ?? []) {
    run.record({ type: 'subtask.completed', subtask: id, verdict, reused: { task: reuse?.task ?? '', result } });
  }
  askForPlan(run, setting);
  return undefined;
}

/** A goal without subtasks: a model makes the plan. Where it cannot, the plan's own rule says what is done instead. */
async function makePlan(run: TaskRun, setting: Setting, rules: PlanningRules): Promise<PlanPreview> {
  const made = await planGoal(run, setting, rules).catch((error: unknown) => refuse(run, error));
  if (made.kind === 'not-made')
    endRefused(run, `No usable plan could be made: ${made.reasons.join('; ')}`, 'PLAN_NOT_MADE', []);
  const { plan, shown } = made;
  run.record({ type: 'plan.ready', setting, plan: unpackPlan(plan) });
  return shown;
}

/** Who did not want the plan before is asked about the next one too. */
function askForPlan(run: TaskRun, { planApproval, planning }: Setting, shown?: PlanPreview): void {
  const { state } = run;
  const isAsked =
    planApproval ||
    state.planning !== undefined ||
    (state.degraded === true && planning?.degraded === 'require-approval');
  if (isAsked) run.record({ type: 'decision.opened', decision: planQuestion(state, run.now, shown?.estimate) });
}

/** A person wants another plan, and nothing has run. */
async function planAgain(run: TaskRun): Promise<void> {
  const setting = settingOf(run.state);
  const { planning } = setting;
  if (planning === undefined) throw new Error('nobody plans this task');
  run.publish();
  askForPlan(run, setting, await makePlan(run, setting, planning));
}

/** What was taken as the workflow's input may be too large as a part of the activity's: nothing would ever come of it. */
function checkSize(run: TaskRun, input: TaskInput): void {
  try {
    checkPlanSize(input);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    endRefused(run, error.message, error.code, [error.toJSON()]);
  }
}

/** The plan or the machine does not fit: the task fails with the code that says so. */
function refuse(run: TaskRun, error: unknown): never {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  const isOurs = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  const code = (isOurs ? cause.type : undefined) ?? 'PREPARE_FAILED';
  const reason = isOurs ? cause.message : `The plan could not be prepared: ${cause?.message ?? error.message}`;
  endRefused(run, reason, code, isOurs ? (cause.details ?? []) : []);
}

function endRefused(run: TaskRun, reason: string, code: string, details: unknown[]): never {
  end(run, 'failed', reason, code);
  const failure = ApplicationFailure.nonRetryable(reason, code, ...details);
  failure.stack = '';
  throw failure;
}

/** Starts what may start whenever something has changed, until every subtask has ended. */
async function runPlan(run: TaskRun): Promise<void> {
  const { state } = run;
  let draining = false;
  while (ending(state) === null) {
    run.changed = false;
    if (run.broken !== undefined) throw run.broken;
    if (state.cancelling !== null) {
      if (state.stopCode === undefined) await stopped();
      await stopWork(run, state.cancelling);
      return;
    }
    if (state.planning?.isWanted === true) await planAgain(run);
    meetDeadlines(run);
    watchBudget(run);
    draining ||= run.nearsHardLimits();
    if (!draining) startPlanner(run);
    run.stopStale();
    if (!draining) startReady(run);
    if (run.inFlight === 0) meetStall(run);
    if (!draining) startWords(run);
    run.publish();
    run.setAlarm();
    if (run.isQuiet() && (draining || run.hasGrown())) await carryOn(run);
    await condition(() => run.changed);
  }
  await stopPlanner(run);
}

/** Somebody asked for a new plan: while a planner works on it, nothing of the old one starts. */
function startPlanner(run: TaskRun): void {
  const planning = beginReplan(run);
  if (planning !== null) run.startPlanner(() => replan(run, planning));
}

/** Questions are open in words of ours; a model may find better ones. */
function startWords(run: TaskRun): void {
  for (const phrasing of beginPhrases(run)) run.startWords(() => phrase(run, phrasing));
}

/** The task may be finished with what is done while a planner works: what that has used still counts. */
async function stopPlanner(run: TaskRun): Promise<void> {
  run.stopWords();
  if (run.inFlight === 0) return;
  run.stopStale();
  await condition(() => run.inFlight === 0, limitsOf(run.state).cancelGrace, { summary: 'the planner stops' });
}

/** What a start changes is shown in the same pass and makes nothing else possible: it does not ask for another one. */
function startReady(run: TaskRun): void {
  const { changed } = run;
  askAboutChecks(run);
  for (let ids = startable(run.state, Date.now()); ids.length > 0; ids = startable(run.state, Date.now())) {
    run.start(ids, (id) => runAttempt(run, id));
    if (run.broken !== undefined) throw run.broken;
  }
  run.changed = changed;
}

/** A person stopped the task: it cancels itself, so that it ends in Temporal's own words too. */
async function stopped(): Promise<never> {
  const { cancelTask } = proxyActivities<SharedActivities>(cancelOptions);
  await CancellationScope.nonCancellable(cancelTask);
  await condition(() => false);
  throw new Error('a cancelled workflow went on');
}

/** Running programs are told to stop and waited for, within bounds; what has not ended is skipped. */
async function stopWork(run: TaskRun, reason: string): Promise<void> {
  const { state } = run;
  run.stop('someone cancelled it');
  run.publish();
  const { cancelGrace } = limitsOf(state);
  const haveStopped = await condition(() => run.inFlight === 0, cancelGrace, { summary: 'running subtasks stop' });
  if (!haveStopped) run.record({ type: 'task.cancel-forced', running: [...state.running], waitedMs: cancelGrace });
  for (const { id } of rowsOf(state)) {
    if (!hasEnded(subtaskOf(state, id).status)) {
      run.record({ type: 'subtask.skipped', subtask: id, reason });
    }
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
    plan: { goal: state.goal, ...shown, degraded: state.degraded === true },
  };
}

/** The ending was fixed before the last activity: a message that comes meanwhile changes nothing any more. */
function finish(run: TaskRun, how: Ending): TaskResult {
  end(run, how.state, how.reason, how.code);
  if (how.state === 'completed') return { state: 'completed', reason: how.reason };
  const failure = ApplicationFailure.nonRetryable(how.reason, how.code ?? 'TASK_FAILED');
  failure.stack = '';
  throw failure;
}

function end(run: TaskRun, state: 'completed' | 'failed' | 'cancelled', reason: string, code?: string): void {
  run.record({ type: 'task.ended', state, reason, ...(code === undefined ? {} : { code }) });
  run.publish();
}

function goalOf(input: TaskInput): string {
  const goal = (input as TaskInput | undefined)?.['goal'];
  return typeof goal === 'string' && goal.trim() !== '' ? clip(goal, limits.goal) : 'a task without a goal';
}

/** A plan that names its host is prepared there, where its workspace is. */
function hostQueueOf(input: TaskInput): string | undefined {
  const host = (input as TaskInput | undefined)?.['host'];
  return typeof host === 'string' && host !== '' ? hostQueueName(workflowInfo().taskQueue, host) : undefined;
}
