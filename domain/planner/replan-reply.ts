import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar, Replan, Superseded } from '../types/plan.ts';
import { hasEnded, type Subtask } from '../types/subtask.ts';
import { clip, oneLine } from '../text/text.ts';
import { isPlainObject } from './plain-object.ts';
import { pickChanges, describePlan } from './replan-view.ts';

const clippedText = (most: number) =>
  z
    .string()
    .nullish()
    .transform((text) => clip(oneLine(text ?? ''), most));

const schema = z.object({
  reason: clippedText(limits.planner.reason),
  superseded: z
    .array(z.object({ id: z.string(), reason: clippedText(limits.summary) }))
    .nullish()
    .transform((list) => list ?? []),
});

/** The parts of a new plan besides its subtasks. The contract checks that a reason is present. */
export type ReplanHeader = { ok: true; reason: string; superseded: Superseded[] } | { ok: false; problem: string };

export function readReplanHeader(reply: Record<string, unknown>): ReplanHeader {
  const read = schema.safeParse(reply);
  if (read.success) return { ok: true, ...read.data };
  return { ok: false, problem: '`reason` must be a text, and `superseded` a list of {"id": "...", "reason": "..."}.' };
}

/** A new plan that can be checked like any other. */
export interface CompletedReplan {
  /** The subtasks in the order of the reply, so that a problem can point into it; those that it does not name follow. */
  subtasks: unknown[];
  /** The changes to earlier subtasks, by id. */
  changes: Map<string, Record<string, unknown>>;
}

/** Adds the earlier subtasks, and the keys of them, that a reply does not name. */
export function completeReplan(
  reply: readonly unknown[],
  superseded: readonly Superseded[],
  before: readonly Subtask[],
  have: PlanSoFar,
): CompletedReplan {
  const supersededIds = new Set(superseded.map(({ id }) => id));
  const ended = new Set(have.subtasks.flatMap(({ id, status }) => (hasEnded(status) ? [id] : [])));
  const subtasksById = new Map(before.map((subtask) => [subtask.id, subtask]));
  const shown = new Map(describePlan(before, have).map((entry) => [entry['id'], entry]));
  const changes = new Map<string, Record<string, unknown>>();
  const subtasks = reply.map((entry) => {
    const was = isPlainObject(entry) && typeof entry['id'] === 'string' ? subtasksById.get(entry['id']) : undefined;
    if (was === undefined || !isPlainObject(entry)) return entry;
    const change = keepJudge(pickChanges(entry, was, shown.get(was.id)), was);
    changes.set(was.id, change);
    return { ...buildPlaceholder(was, supersededIds, ended), ...change };
  });
  const missing = before.filter(({ id }) => !changes.has(id) && !supersededIds.has(id));
  return {
    subtasks: [...subtasks, ...missing.map((was) => buildPlaceholder(was, supersededIds, ended))],
    changes: changes,
  };
}

/** Stands for a subtask that the reply does not name. An ended one has no dependencies, and all others may depend on it. */
function buildPlaceholder(
  { id, description, dependsOn, synthesis }: Subtask,
  supersededIds: ReadonlySet<string>,
  ended: ReadonlySet<string>,
): Record<string, unknown> {
  if (ended.has(id)) return { id, description };
  return { id, description, dependsOn: dependsOn.filter((other) => !supersededIds.has(other)), synthesis };
}

/** A model may ask for more judges than there are, never for fewer. */
function keepJudge(change: Record<string, unknown>, was: Subtask): Record<string, unknown> {
  const { verification, ...rest } = change;
  return typeof verification === 'number' && verification < (was.verification ?? 1) ? rest : change;
}

/** Returns the changes of a subtask with all values complete. `demoted`: it is no longer a synthesis. */
export function buildKept(
  change: Record<string, unknown>,
  completed: Subtask,
  demoted: boolean,
): Replan['kept'][number] {
  const { verification, voting, askedChecks = [], checkNames } = completed;
  const verificationPart = {
    ...(verification === undefined ? {} : { verification }),
    ...(voting === undefined ? {} : { voting }),
  };
  const keys = Object.keys(change).filter((key): key is keyof Subtask => Object.hasOwn(completed, key));
  return {
    ...Object.fromEntries(keys.map((key) => [key, completed[key]])),
    id: completed.id,
    ...(Object.hasOwn(change, 'verification') ? verificationPart : {}),
    ...(Object.hasOwn(change, 'verify')
      ? { verifyInSandbox: true, askedChecks, ...(checkNames === undefined ? {} : { checkNames }) }
      : {}),
    ...(demoted ? { synthesis: false } : {}),
  };
}
