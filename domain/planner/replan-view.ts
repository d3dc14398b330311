import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar, Superseded } from '../types/plan.ts';
import { hasEnded, type Subtask } from '../types/subtask.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { clip } from '../text/text.ts';

/** A subtask in the words of a plan file, as a model is shown it: what a model may say, where it says something. */
export function shownSubtask(subtask: Subtask): Record<string, unknown> {
  const { id, description, dependsOn, tier, deliverables, verify, criteria, requiredSections, rules } = subtask;
  const { verification, diff, synthesis } = subtask;
  return {
    ...{ id, description, dependsOn, tier },
    ...filled({ deliverables, verify, criteria, requiredSections, rules }),
    ...(verification === undefined ? {} : { verification }),
    ...(diff ? { diff } : {}),
    ...(synthesis ? { synthesis } : {}),
  };
}

const filled = (lists: Record<string, readonly unknown[]>): Record<string, readonly unknown[]> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/** Ids of all subtasks that are no longer part of the plan. */
export function goneFrom({ subtasks }: PlanSoFar, superseded: readonly Superseded[]): Set<string> {
  const before = subtasks.filter((subtask) => subtask.superseded === true);
  return new Set([...before, ...superseded].map(({ id }) => id));
}

/** The plan so far: what is open as a whole, what has ended by its id and its purpose. */
export function shownPlan(subtasks: readonly Subtask[], have: PlanSoFar): Record<string, unknown>[] {
  const standing = new Map(have.subtasks.map(({ id, status }) => [id, status]));
  return subtasks.map((subtask) => {
    const { id, description } = subtask;
    const hasItsEnd = hasEnded(standing.get(id) ?? 'pending');
    return hasItsEnd ? { id, description: clip(description, limits.planner.purpose) } : shownSubtask(subtask);
  });
}

/**
 * What an entry of a new plan says about a subtask that is known: what merely repeats what was shown, or a default that was not, says nothing,
 * and everything that is not said stays as it is.
 */
export function pickChanges(
  entry: Record<string, unknown>,
  before: Subtask,
  shown: Record<string, unknown> = {},
): Record<string, unknown> {
  const whole = shownSubtask(before);
  const isEcho = ([key, value]: [string, unknown]): boolean =>
    repeats(key, value, whole[key]) || (Object.hasOwn(shown, key) && repeats(key, value, shown[key]));
  return Object.fromEntries(Object.entries(entry).filter((pair) => pair[0] === 'id' || !isEcho(pair)));
}

/** Of keys that are not shown: what their absence means. */
const absent: Readonly<Record<string, unknown>> = { verification: 1, diff: false, synthesis: false };

function repeats(key: string, value: unknown, shown: unknown): boolean {
  if (canonicalJson(value) === canonicalJson(shown)) return true;
  return shown === undefined && (value === absent[key] || (Array.isArray(value) && value.length === 0));
}
