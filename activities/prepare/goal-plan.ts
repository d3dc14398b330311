import type { ProjectTest } from '../../domain/model/planning.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import type { Ref } from '../../domain/model/ref.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { isPlainObject } from '../../domain/planning/plain-object.ts';
import { rewritten, wholeGoal, type PlanBrief } from '../../domain/planning/planned-input.ts';
import type { Plan } from '../../domain/schema/plan-schema.ts';
import { planError } from '../../domain/source/problem.ts';
import type { Store } from '../store/store.ts';

/** What is frozen for whoever gives another plan. Nothing is reused of work that another plan described. */
export function briefOf(
  plan: unknown,
  { values, above, executors, models }: FrozenConfig,
  projectTest?: ProjectTest,
): PlanBrief {
  const { reuse: _, ...raw } = isPlainObject(plan) ? plan : {};
  const test = projectTest === undefined ? {} : { projectTest };
  return { raw, config: { values, above, executors, models }, ...test };
}

/** The plan of a goal that came without subtasks. */
export interface GoalPlan {
  plan: Plan;
  raw: Record<string, unknown>;
}

/** What an earlier task made of the goal; else the goal as one subtask: all that it needs, every plan of it needs too. */
export async function goalPlan(brief: PlanBrief, made: Ref | undefined, store: Pick<Store, 'get'>): Promise<GoalPlan> {
  const written = made === undefined ? undefined : await readWritten(made, store);
  const raw = written === undefined ? wholeGoal(brief) : rewritten(brief, written);
  const parsed = parsePlan(raw, 'later');
  if (!parsed.ok) throw planError(parsed.problems);
  return { plan: parsed.plan, raw };
}

async function readWritten(ref: Ref, store: Pick<Store, 'get'>): Promise<Record<string, unknown>> {
  const written: unknown = await store.get(ref).then(
    (bytes) => JSON.parse(bytes.toString()) as unknown,
    (error: unknown) => {
      // Trouble with the disk passes; an object that is not there stays away.
      if (!(error instanceof HeddleError)) throw error;
    },
  );
  if (isPlainObject(written)) return written;
  throw new HeddleError({
    code: 'RETRY_DOES_NOT_FIT',
    message: 'The plan that was made of the goal is not in the store of this host',
    hint: 'Run the goal again: a new plan is made.',
  });
}
