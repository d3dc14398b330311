import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar, Superseded } from '../types/plan.ts';
import { hasEnded, type Subtask } from '../types/subtask.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { clip } from '../text/text.ts';
import { joinChecks } from '../checks/named-checks.ts';

/** Describes a subtask as a plan file has it, with the keys that a model may set and that have a value. */
export function describeSubtask(subtask: Subtask): Record<string, unknown> {
  const { id, description, dependsOn, tier, deliverables, criteria, requiredSections, rules } = subtask;
  const { verification, diff, synthesis } = subtask;
  return {
    ...{ id, description, dependsOn, tier },
    ...filled({ deliverables, verify: joinChecks(subtask), criteria, requiredSections, rules }),
    ...(verification === undefined ? {} : { verification }),
    ...(diff ? { diff } : {}),
    ...(synthesis ? { synthesis } : {}),
  };
}

const filled = (lists: Record<string, readonly unknown[]>): Record<string, readonly unknown[]> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/** Ids of all subtasks that are no longer part of the plan. */
export function listSuperseded({ subtasks }: PlanSoFar, superseded: readonly Superseded[]): Set<string> {
  const before = subtasks.filter((subtask) => subtask.superseded === true);
  return new Set([...before, ...superseded].map(({ id }) => id));
}

/** Describes the plan so far: open subtasks in full, ended ones by id and purpose. */
export function describePlan(subtasks: readonly Subtask[], have: PlanSoFar): Record<string, unknown>[] {
  const standing = new Map(have.subtasks.map(({ id, status }) => [id, status]));
  return subtasks.map((subtask) => {
    const { id, description } = subtask;
    const hasItsEnd = hasEnded(standing.get(id) ?? 'pending');
    return hasItsEnd ? { id, description: clip(description, limits.planner.purpose) } : describeSubtask(subtask);
  });
}

/**
 * Picks the changes of an entry for an earlier subtask. A value that repeats the shown one, or a default that was not shown, is no change;
 * every other key stays as it was.
 */
export function pickChanges(
  entry: Record<string, unknown>,
  before: Subtask,
  shown: Record<string, unknown> = {},
): Record<string, unknown> {
  const whole = describeSubtask(before);
  const isEcho = ([key, value]: [string, unknown]): boolean =>
    repeats(key, value, whole[key]) || (Object.hasOwn(shown, key) && repeats(key, value, shown[key]));
  return Object.fromEntries(Object.entries(entry).filter((pair) => pair[0] === 'id' || !isEcho(pair)));
}

/** The meaning of keys that are not shown. */
const absent: Readonly<Record<string, unknown>> = { verification: 1, diff: false, synthesis: false };

function repeats(key: string, value: unknown, shown: unknown): boolean {
  if (canonicalJson(value) === canonicalJson(shown)) return true;
  return shown === undefined && (value === absent[key] || (Array.isArray(value) && value.length === 0));
}
