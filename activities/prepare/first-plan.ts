import type { ProjectTest } from '../../domain/types/planner.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import {
  isOwnPlan,
  isPlannedByModel,
  rewritten,
  wholeGoal,
  type PlanBrief,
} from '../../domain/planner/planner-input.ts';
import { readWrittenPlan, type WrittenPlan } from '../../domain/planner/written-plan.ts';
import type { CheckedPlan } from '../../domain/schema/plan-schema.ts';
import { planError } from '../../domain/input/problem.ts';
import type { Store } from '../store/store.ts';

/** Freezes the facts from which another plan can be made. No work that another plan described is reused. */
export function buildBrief(
  plan: unknown,
  { values, above, executors, models, projectNotes, process }: FrozenConfig,
  projectTest?: ProjectTest,
): PlanBrief {
  const { reuse: _, ...raw } = isPlainObject(plan) ? plan : {};
  const test = projectTest === undefined ? {} : { projectTest };
  const notes = projectNotes === undefined ? {} : { projectNotes };
  const followed = process === undefined ? {} : { process };
  return { raw, config: { values, above, executors, models, ...notes, ...followed }, ...test };
}

/** The plan that a task begins with. */
export interface FirstPlan {
  plan: CheckedPlan;
  raw: Record<string, unknown>;
  /** Subtasks whose checks a model wrote, or may have: they pass the gate. */
  gated: 'all' | ReadonlySet<string>;
  /** Subtasks that a model wrote. */
  ofModel: 'all' | ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** A goal that came without subtasks, as one subtask: all that it needs, every plan of it needs too. The phases of a process are no model's. */
export function goalPlan(brief: PlanBrief): FirstPlan {
  const whole = parseWhole(wholeGoal(brief), brief);
  if (brief.config.process !== undefined) return { ...whole, gated: none, ofModel: none };
  return { ...whole, gated: 'all', ofModel: 'all' };
}

/** The newest version that an earlier task had. Of a goal a model may have written all of it. */
export async function newestPlan(brief: PlanBrief, made: Ref, store: Pick<Store, 'get'>): Promise<FirstPlan> {
  const { part, byModel, byPerson = false } = await loadWrittenPlan(made, store);
  const whole = parseWhole(rewritten(brief, part), brief);
  const ids = new Set(byModel);
  const gated = isPlannedByModel(brief) ? 'all' : ids;
  // A plan that a person gave counts as that person's, though a model may have written parts of it before.
  if (byPerson) return { ...whole, gated, ofModel: ids };
  return { ...whole, gated, ofModel: isOwnPlan(brief.config) ? none : gated };
}

function parseWhole(raw: Record<string, unknown>, { config }: PlanBrief): Pick<FirstPlan, 'plan' | 'raw'> {
  const parsed = parsePlan(raw, 'later', { ofProcess: config.process !== undefined });
  if (!parsed.ok) throw planError(parsed.problems);
  return { plan: parsed.plan, raw };
}

/** A version of a plan from the store. Throws when it is not there. */
export async function loadWrittenPlan(ref: Ref, store: Pick<Store, 'get'>): Promise<WrittenPlan> {
  const stored: unknown = await store.get(ref).then(
    (bytes) => JSON.parse(bytes.toString()) as unknown,
    (error: unknown) => {
      // Trouble with the disk passes; an object that is not there stays away.
      if (!(error instanceof HeddleError)) throw error;
    },
  );
  const written = readWrittenPlan(stored);
  if (written !== undefined) return written;
  throw new HeddleError({
    code: 'RETRY_DOES_NOT_FIT',
    message: 'The newest version of the plan is not in the store of this host',
    hint: 'Run the goal again, or give the plan with `heddle retry --plan FILE`.',
  });
}
