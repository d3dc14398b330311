import type { PlanSoFar, Superseded } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { isPlainObject } from './plain-object.ts';
import { writtenPart } from './planner-input.ts';
import { listSuperseded, describeSubtask } from './replan-view.ts';
import { joinChecks } from '../checks/named-checks.ts';

/** The newest version of a task's plan, as a retry takes it over. */
export interface WrittenPlan {
  /** The keys of a plan file that shape its subtasks. */
  part: Record<string, unknown>;
  /** Subtasks whose checks a model wrote into a person's plan: they pass the gate and run in the sandbox in every later task too. */
  byModel: string[];
  /** A person gave this plan instead of a model's. */
  byPerson?: true;
}

export function formatWrittenPlan({ part, byModel, ...given }: WrittenPlan): string {
  return JSON.stringify({ ...part, ...(byModel.length === 0 ? {} : { byModel }), ...given });
}

/** Reads a stored plan; undefined when it has another form. */
export function readWrittenPlan(stored: unknown): WrittenPlan | undefined {
  if (!isPlainObject(stored)) return undefined;
  const { byModel, byPerson, ...part } = stored;
  const ids: unknown[] = Array.isArray(byModel) ? byModel : [];
  const given = byPerson === true ? { byPerson: true as const } : {};
  return { part, byModel: ids.filter((id) => typeof id === 'string'), ...given };
}

/** The plan that was sent, before anything replaced it. */
export const sentPlan = (raw: Record<string, unknown>): WrittenPlan => ({ part: writtenPart(raw), byModel: [] });

/** A new version of a plan: its definitions before and after, the superseded subtasks, and the earlier version as it was written. */
export interface RewrittenVersion {
  earlier: WrittenPlan;
  before: readonly Subtask[];
  subtasks: readonly Subtask[];
  have: PlanSoFar;
  superseded: readonly Superseded[];
}

/**
 * Writes the new version as a plan file of the same task. A subtask that stayed keeps everything that its author wrote (executor,
 * variables, limits) except the changes; superseded subtasks are dropped.
 */
export function rewriteVersion({ earlier, before, subtasks, have, superseded }: RewrittenVersion): WrittenPlan {
  const supersededIds = listSuperseded(have, superseded);
  const entries = new Map(listEntries(earlier.part).map((entry) => [entry['id'], entry]));
  const definitions = new Map(before.map((subtask) => [subtask.id, subtask]));
  const byModel = new Set(earlier.byModel);
  const rewritten = subtasks.flatMap((subtask) => {
    const { id } = subtask;
    // The check of the whole goal is added to every plan of the task.
    if (supersededIds.has(id) || subtask.goalCheck === true) return [];
    const old = definitions.get(id);
    if (old === undefined || canonicalJson(old.verify) !== canonicalJson(subtask.verify)) byModel.add(id);
    const dependsOn = subtask.dependsOn.filter((other) => !supersededIds.has(other));
    const entry = entries.get(id);
    const whole =
      entry === undefined || old === undefined ? buildAddedEntry(subtask) : applyChanges(entry, old, subtask);
    return [{ ...whole, dependsOn }];
  });
  return {
    part: { ...earlier.part, subtasks: rewritten },
    byModel: [...byModel].filter((id) => !supersededIds.has(id)),
  };
}

function listEntries({ subtasks }: Record<string, unknown>): Record<string, unknown>[] {
  const entries: unknown[] = Array.isArray(subtasks) ? subtasks : [];
  return entries.filter(isPlainObject);
}

/** Writes a subtask that a model added: for an agent, or for the task's default executor. */
function buildAddedEntry(subtask: Subtask): Record<string, unknown> {
  return { ...describeSubtask(subtask), ...buildExecutorPart(subtask) };
}

const buildExecutorPart = ({ executor }: Subtask): Record<string, unknown> =>
  executor.kind === 'agent'
    ? { executor: { kind: 'agent', tools: [...executor.tools, ...(executor.foreign ?? [])] } }
    : {};

/** Keys of an earlier subtask that a model may change. */
const changeable = [
  ...(['description', 'tier', 'deliverables', 'verify', 'criteria', 'requiredSections', 'rules'] as const),
  ...(['verification', 'voting', 'diff', 'synthesis'] as const),
];

function applyChanges(entry: Record<string, unknown>, before: Subtask, after: Subtask): Record<string, unknown> {
  const differs = (key: keyof Subtask): boolean => canonicalJson(before[key]) !== canonicalJson(after[key]);
  const keys = changeable.filter((key) => after[key] !== undefined && differs(key));
  const { executor: _, ...rest } = entry;
  return {
    ...(differs('executor') ? { ...rest, ...buildExecutorPart(after) } : entry),
    ...Object.fromEntries(keys.map((key) => [key, key === 'verify' ? joinChecks(after) : after[key]])),
  };
}
