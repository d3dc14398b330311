import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import {
  failReplan,
  losePlanner,
  takePlanned,
  type PlannerOutcome,
  type Planning,
} from '../../domain/replan/replan.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Grant, GrantKey } from '../../domain/types/agent.ts';
import type { ResourceUsage } from '../../domain/types/outcome.ts';
import type { PlanTaskInput, PlanTaskOutcome } from '../../domain/types/planner.ts';
import { unpackPlan } from '../../domain/plan/pack-plan.ts';
import { settingsOf } from '../../domain/task/read-state.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { planOptions } from './activity-options.ts';
import { explain } from '../shared/explain-failure.ts';
import { planInput, readLostPlanner } from './plan-goal.ts';
import type { TaskRun } from './run/task-run.ts';

/** A model changes the plan. Without a new plan, a person is asked about the subtasks that wait for it. */
export async function replan(run: TaskRun, planning: Planning): Promise<void> {
  const settings = settingsOf(run.state);
  const { have, round, tries, grant, run: nth } = planning;
  try {
    const spent = run.state.planner.spent?.used ?? nothingUsed;
    const input: PlanTaskInput = {
      ...planInput(run, settings, { from: 'replan', have }),
      ...{ round, tries, grant: above(spent, grant) },
    };
    await run.work.admit(utf8Length(JSON.stringify(input)));
    const options = planOptions(settings, nth, `make version ${have.version + 1} of the plan`);
    const outcome = await proxyActivities<HostActivities>(options)
      .planTask(input)
      .catch((error: unknown) => readLostPlanner(run.state, error));
    takePlanned(run, readPlannerOutcome(outcome));
  } catch (error) {
    if (isCancellation(error)) losePlanner(run);
    if (isCancellation(error) || !(error instanceof ActivityFailure)) return run.work.failWorkflowTask(error);
    losePlanner(run);
    failReplan(run, explain(error).failure.summary);
  } finally {
    run.work.ended();
  }
}

/** The grant of all conversations with the model that plans together. */
function above(spent: ResourceUsage, grant: Grant): Grant {
  const entries = Object.entries(grant) as [GrantKey, number][];
  return Object.fromEntries(entries.map(([key, more]) => [key, (spent[key] ?? 0) + more]));
}

function readPlannerOutcome(outcome: PlanTaskOutcome): PlannerOutcome {
  if (outcome.kind === 'planned') throw new Error('the plan that runs is changed, never begun again');
  return outcome.kind === 'replanned' ? { ...outcome, kind: 'planned', plan: unpackPlan(outcome.plan) } : outcome;
}
