import { ActivityFailure, ApplicationFailure, currentUpdateInfo, isCancellation } from '@temporalio/workflow';
import { checkAnswer } from '../../domain/messages/validate-message.ts';
import { takeAnswer } from '../../domain/decisions/apply-answer.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { DecisionAnswer } from '../../domain/types/decision.ts';
import type { PackedPlan } from '../../domain/types/plan.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { unpackPlan } from '../../domain/plan/pack-plan.ts';
import { readProblem } from '../../domain/errors/read-problem.ts';
import { settingsOf } from '../../domain/task/read-state.ts';
import type { DecideResult } from './messages.ts';
import { planByPerson } from './plan-goal.ts';
import type { TaskRun } from './run/task-run.ts';

/** Puts another plan in place of the plan that a question is about. A refused plan leaves the question open; so does a plan that comes too late. */
export async function editPlan(run: TaskRun, given: DecisionAnswer): Promise<DecideResult> {
  const settings = settingsOf(run.state);
  const plan = await check(run, settings, given.value);
  // Somebody else may have answered meanwhile.
  const { decision } = checkAnswer(run.state, given, run.now);
  const { value: _, ...answer } = given;
  takeAnswer(run, decision, answer, { updateId: currentUpdateInfo()?.id ?? null, source: 'person' });
  run.record({ type: 'plan.ready', settings, plan: unpackPlan(plan) });
  return { taskId: run.state.id, decisionId: answer.decisionId, option: answer.option };
}

/** No new run begins meanwhile: a caller that waits for the answer waits in this run. */
async function check(run: TaskRun, settings: TaskSettings, plan: unknown): Promise<PackedPlan> {
  run.work.began();
  try {
    return await planByPerson(run, settings, plan).catch(refused);
  } finally {
    run.work.ended();
  }
}

/** The person reads the activity's own words about the plan. */
function refused(error: unknown): never {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  const problem = cause instanceof ApplicationFailure ? readProblem(cause.details?.[0]) : undefined;
  const { code = 'PREPARE_FAILED', message = cause?.message ?? error.message, where, hint, problems } = problem ?? {};
  throw new HeddleError(
    { code, message, ...(where === undefined ? {} : { where }), ...(hint === undefined ? {} : { hint }) },
    problems,
  );
}
