import type { PlanSoFar, Superseded } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { isPlainObject } from './plain-object.ts';
import { writtenPart } from './planner-input.ts';
import { goneFrom, shownSubtask } from './replan-view.ts';

/** The newest version of a task's plan, as a retry takes it over. */
export interface WrittenPlan {
  /** The keys of a plan file that shape its subtasks. */
  part: Record<string, unknown>;
  /** Subtasks whose checks a model wrote into a person's plan: they pass the gate and run in the sandbox in every later task too. */
  byModel: string[];
  /** A person gave it in place of a model's. */
  byPerson?: true;
}

export function formatWrittenPlan({ part, byModel, ...given }: WrittenPlan): string {
  return JSON.stringify({ ...part, ...(byModel.length === 0 ? {} : { byModel }), ...given });
}

/** Undefined when it is nothing that was stored as a plan. */
export function readWrittenPlan(stored: unknown): WrittenPlan | undefined {
  if (!isPlainObject(stored)) return undefined;
  const { byModel, byPerson, ...part } = stored;
  const ids: unknown[] = Array.isArray(byModel) ? byModel : [];
  const given = byPerson === true ? { byPerson: true as const } : {};
  return { part, byModel: ids.filter((id) => typeof id === 'string'), ...given };
}

/** The plan that was sent, before anything replaced it. */
export const sentPlan = (raw: Record<string, unknown>): WrittenPlan => ({ part: writtenPart(raw), byModel: [] });

/** A new version of a plan: its definitions before and after, what was superseded, and the version before as it was written. */
export interface RewrittenVersion {
  earlier: WrittenPlan;
  before: readonly Subtask[];
  subtasks: readonly Subtask[];
  have: PlanSoFar;
  superseded: readonly Superseded[];
}

/**
 * The new version as a plan file of the same task has it. What stayed keeps all that its author wrote (executor, variables, limits) but for
 * what was changed; what was superseded is left out.
 */
export function rewriteVersion({ earlier, before, subtasks, have, superseded }: RewrittenVersion): WrittenPlan {
  const gone = goneFrom(have, superseded);
  const entries = new Map(listEntries(earlier.part).map((entry) => [entry['id'], entry]));
  const definitions = new Map(before.map((subtask) => [subtask.id, subtask]));
  const byModel = new Set(earlier.byModel);
  const rewritten = subtasks.flatMap((subtask) => {
    const { id } = subtask;
    // The check of the whole goal is added to every plan of the task.
    if (gone.has(id) || subtask.goalCheck === true) return [];
    const old = definitions.get(id);
    if (old === undefined || canonicalJson(old.verify) !== canonicalJson(subtask.verify)) byModel.add(id);
    const dependsOn = subtask.dependsOn.filter((other) => !gone.has(other));
    const entry = entries.get(id);
    const whole = entry === undefined || old === undefined ? asAdded(subtask) : retargeted(entry, old, subtask);
    return [{ ...whole, dependsOn }];
  });
  return { part: { ...earlier.part, subtasks: rewritten }, byModel: [...byModel].filter((id) => !gone.has(id)) };
}

function listEntries({ subtasks }: Record<string, unknown>): Record<string, unknown>[] {
  const entries: unknown[] = Array.isArray(subtasks) ? subtasks : [];
  return entries.filter(isPlainObject);
}

/** A model's own subtask: an agent's, or for whatever does all other work of the task. */
function asAdded(subtask: Subtask): Record<string, unknown> {
  return { ...shownSubtask(subtask), ...buildExecutorPart(subtask) };
}

const buildExecutorPart = ({ executor }: Subtask): Record<string, unknown> =>
  executor.kind === 'agent' ? { executor: { kind: 'agent', tools: executor.tools } } : {};

/** What a model may say of a subtask that is there, where it is not as before. */
const changeable = [
  ...(['description', 'tier', 'deliverables', 'verify', 'criteria', 'requiredSections', 'rules'] as const),
  ...(['verification', 'voting', 'diff', 'synthesis'] as const),
];

function retargeted(entry: Record<string, unknown>, before: Subtask, after: Subtask): Record<string, unknown> {
  const differs = (key: keyof Subtask): boolean => canonicalJson(before[key]) !== canonicalJson(after[key]);
  const keys = changeable.filter((key) => after[key] !== undefined && differs(key));
  const { executor: _, ...rest } = entry;
  return {
    ...(differs('executor') ? { ...rest, ...buildExecutorPart(after) } : entry),
    ...Object.fromEntries(keys.map((key) => [key, after[key]])),
  };
}
