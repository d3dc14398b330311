import { condition, proxyActivities, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { planQuestion } from '../../domain/decisions/ask-plan.ts';
import { askAboutEstimate, exhaust } from '../../domain/decisions/watch-budget.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { SharedActivities } from '../../domain/types/activities.ts';
import type { BudgetKey } from '../../domain/types/basic/budget.ts';
import type { PlanningRules, PlanPreview } from '../../domain/types/planner.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { buildHostQueue as hostQueueName } from '../../domain/names/names.ts';
import { isSourceName } from '../../domain/input/source-name.ts';
import { unpackPlan } from '../../domain/plan/pack-plan.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { settingsOf } from '../../domain/task/read-state.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { clip } from '../../domain/text/text.ts';
import { prepareOptions } from './activity-options.ts';
import { endRefused, refuseBy, stopped } from './end-task.ts';
import type { TaskInput } from './messages.ts';
import { askForHelp, meetOutage, waitsForPlanner } from '../../domain/replan/meet-outage.ts';
import { checkBudget, usedNow } from '../../domain/schedule/budget-limits.ts';
import { isHeld } from '../../domain/schedule/schedule.ts';
import type { Decision } from '../../domain/types/decision.ts';
import { type Asking, planGoal } from './plan-goal.ts';
import type { TaskRun } from './run/task-run.ts';
import { takeOver } from './take-over.ts';

/** Gives the plan where that is all that was asked for. */
export async function prepare(run: TaskRun, input: TaskInput): Promise<PlanPreview | undefined> {
  const { state } = run;
  run.record({ type: 'task.started', goal: state.goal });
  run.publish();
  if (workflowInfo().memo?.['goal'] === undefined) upsertMemo({ goal: clip(state.goal, limits.memoGoal) });
  checkSize(run, input);
  const { prepareTask } = proxyActivities<SharedActivities>(prepareOptions(findHostQueue(input)));
  const prepared = await prepareTask({ taskId: state.id, plan: input }).catch((error: unknown) => refuseBy(run, error));
  const { settings, reuse } = prepared;
  if (settings.process !== undefined) upsertMemo({ goal: clip(settings.goal, limits.memoGoal) });
  if (settings.planning !== undefined && prepared.plan.rows.length === 0) {
    run.record({ type: 'settings.ready', settings });
    run.publish();
    const planOnly = input.planOnly === true;
    const shown = await makePlan(run, settings, settings.planning, { mayAsk: !planOnly });
    if (planOnly) return shown;
    askForPlan(run, settings, shown);
    return undefined;
  }
  const { degraded, name = '' } = settings.process ?? {};
  if (degraded !== undefined) run.record({ type: 'plan.degraded', reasons: [degraded], checked: true, process: name });
  run.record({ type: 'plan.ready', settings, plan: unpackPlan(prepared.plan) });
  if (prepared.preview !== undefined) return prepared.preview;
  if (reuse !== null) await takeOver(run, reuse);
  askForPlan(run, settings);
  return undefined;
}

/** A goal without subtasks: a model makes the plan. Where it cannot, the plan's own rule says what is done instead. */
async function makePlan(
  run: TaskRun,
  settings: TaskSettings,
  rules: PlanningRules,
  asking: Asking,
): Promise<PlanPreview> {
  const made = await planGoal(run, settings, rules, asking).catch((error: unknown) => refuseBy(run, error));
  if (made.kind === 'unpaid') {
    await askForMore(run, made.key);
    return makePlan(run, settings, rules, asking);
  }
  if (made.kind === 'refused') askForHelp(run, { kind: 'refusal', refusal: made.refusal });
  if (made.kind === 'unanswered' && !meetOutage(run, made.outage, asking)) endWithoutPlan(run, [made.outage.why]);
  if (made.kind === 'refused' || made.kind === 'unanswered') {
    await untilPlannable(run);
    return makePlan(run, settings, rules, asking);
  }
  if (made.kind === 'not-made') endWithoutPlan(run, made.reasons);
  const { plan, shown } = made;
  run.record({ type: 'plan.ready', settings, plan: unpackPlan(plan) });
  return shown;
}

function endWithoutPlan(run: TaskRun, reasons: readonly string[]): never {
  return endRefused(run, `No usable plan could be made: ${reasons.join('; ')}`, 'PLAN_NOT_MADE', []);
}

/** Until the model that plans may be asked again: its wait is over, its question is answered, and nobody pauses the task. */
async function untilPlannable(run: TaskRun): Promise<void> {
  const { state } = run;
  while (state.control.cancelling === null) {
    run.waking.changed = false;
    watchTime(run);
    run.publish();
    run.setAlarm();
    if (!isHeld(state) && !waitsForPlanner(state, run.now)) break;
    await run.waking.nextWake();
  }
  await endIfStopped(run);
  if (state.planner.wait !== undefined) run.record({ type: 'plan.resumed' });
  run.publish();
}

/** Time is the one budget that a wait spends. */
function watchTime(run: TaskRun): void {
  const { limits: budget } = run.state.budget;
  for (const { key, level } of checkBudget(budget, usedNow(run.state, run.now)))
    if (key === 'wallClock' && level === 'exhausted') exhaust(run, key);
}

/** The budget is spent before there is a plan: a person raises it, and the conversation goes on, or ends the task. */
async function askForMore(run: TaskRun, key: BudgetKey): Promise<void> {
  exhaust(run, key);
  await answered(run, ({ kind }) => kind === 'budget');
}

/** Waits for the answer to a question before there is a plan; ends the task where that is the answer. */
async function answered(run: TaskRun, isMeant: (decision: Decision) => boolean): Promise<void> {
  const { state } = run;
  run.publish();
  await condition(() => state.control.cancelling !== null || !state.decisions.open.some(isMeant));
  run.publish();
  await endIfStopped(run);
}

async function endIfStopped(run: TaskRun): Promise<void> {
  const { state } = run;
  if (state.control.cancelling === null) return;
  if (state.control.stopCode === undefined) await stopped();
  else endRefused(run, state.control.cancelling, state.control.stopCode, []);
}

/** A person who did not want the plan before is asked about the next one too. */
function askForPlan(run: TaskRun, { planApproval, planning }: TaskSettings, shown?: PlanPreview): void {
  const { state } = run;
  const isAsked =
    planApproval ||
    state.planner.revision !== undefined ||
    (state.plan.degraded === true && planning?.degraded === 'require-approval');
  if (isAsked) run.record({ type: 'decision.opened', decision: planQuestion(state, run.now, shown?.estimate) });
  if (shown !== undefined) askAboutEstimate(run, shown.estimate);
}

/** A person wants another plan, and nothing has run. */
export async function planAgain(run: TaskRun): Promise<void> {
  const settings = settingsOf(run.state);
  const { planning } = settings;
  if (planning === undefined) throw new Error('nobody plans this task');
  run.publish();
  askForPlan(run, settings, await makePlan(run, settings, planning, { mayAsk: true }));
}

/** A plan that was taken as the workflow's input may be too large as a part of the activity's: nothing would ever come of it. */
function checkSize(run: TaskRun, input: TaskInput): void {
  try {
    checkPlanSize(input);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    endRefused(run, error.message, error.code, [error.toJSON()]);
  }
}

/** A plan that names its host is prepared there, where its workspace is. `prepareTask` refuses what can be no queue's name. */
function findHostQueue(input: unknown): string | undefined {
  const host = isPlainObject(input) ? input['host'] : undefined;
  return typeof host === 'string' && isSourceName(host) ? hostQueueName(workflowInfo().taskQueue, host) : undefined;
}
