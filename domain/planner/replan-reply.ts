import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import type { PlanSoFar, Replan, Superseded } from '../types/plan.ts';
import { hasEnded, type Subtask } from '../types/subtask.ts';
import { clip, oneLine } from '../text/text.ts';
import { isPlainObject } from './plain-object.ts';
import { pickChanges, shownPlan } from './replan-view.ts';

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

/** What a new plan says besides its subtasks. Whether a reason is missing is for the contract to say. */
export type ReplanHeader = { ok: true; reason: string; superseded: Superseded[] } | { ok: false; problem: string };

export function readReplanHeader(reply: Record<string, unknown>): ReplanHeader {
  const read = schema.safeParse(reply);
  if (read.success) return { ok: true, ...read.data };
  return { ok: false, problem: '`reason` is a text, and `superseded` a list of {"id": "...", "reason": "..."}.' };
}

/** A new plan that can be checked like any other. */
export interface WholeReplan {
  /** In the order of the reply, so that a place in it can be named; what the reply does not name follows. */
  subtasks: unknown[];
  /** What is said of subtasks that were there before, by their id. */
  said: Map<string, Record<string, unknown>>;
}

/** Fills in what a reply does not say of subtasks that were there before. */
export function wholeReplan(
  reply: readonly unknown[],
  superseded: readonly Superseded[],
  before: readonly Subtask[],
  have: PlanSoFar,
): WholeReplan {
  const gone = new Set(superseded.map(({ id }) => id));
  const ended = new Set(have.subtasks.flatMap(({ id, status }) => (hasEnded(status) ? [id] : [])));
  const subtasksById = new Map(before.map((subtask) => [subtask.id, subtask]));
  const shown = new Map(shownPlan(before, have).map((entry) => [entry['id'], entry]));
  const changes = new Map<string, Record<string, unknown>>();
  const subtasks = reply.map((entry) => {
    const was = isPlainObject(entry) && typeof entry['id'] === 'string' ? subtasksById.get(entry['id']) : undefined;
    if (was === undefined || !isPlainObject(entry)) return entry;
    const change = keepJudge(pickChanges(entry, was, shown.get(was.id)), was);
    changes.set(was.id, change);
    return { ...standIn(was, gone, ended), ...change };
  });
  const missing = before.filter(({ id }) => !changes.has(id) && !gone.has(id));
  return { subtasks: [...subtasks, ...missing.map((was) => standIn(was, gone, ended))], said: changes };
}

/** What the graph needs to know of a subtask of which nothing is said. What has ended waits for nothing, and all may wait for it. */
function standIn(
  { id, description, dependsOn, synthesis }: Subtask,
  gone: ReadonlySet<string>,
  ended: ReadonlySet<string>,
): Record<string, unknown> {
  if (ended.has(id)) return { id, description };
  return { id, description, dependsOn: dependsOn.filter((other) => !gone.has(other)), synthesis };
}

/** A model may ask for more judges than there are, never for fewer. */
function keepJudge(change: Record<string, unknown>, was: Subtask): Record<string, unknown> {
  const { verification, ...rest } = change;
  return typeof verification === 'number' && verification < (was.verification ?? 1) ? rest : change;
}

/** What is said of a subtask, with everything filled in as in any plan. `demoted`: it is no synthesis any more. */
export function keptAs(change: Record<string, unknown>, completed: Subtask, demoted: boolean): Replan['kept'][number] {
  const { verification, voting, askedChecks = [] } = completed;
  const verificationPart = {
    ...(verification === undefined ? {} : { verification }),
    ...(voting === undefined ? {} : { voting }),
  };
  const keys = Object.keys(change).filter((key): key is keyof Subtask => Object.hasOwn(completed, key));
  return {
    ...Object.fromEntries(keys.map((key) => [key, completed[key]])),
    id: completed.id,
    ...(Object.hasOwn(change, 'verification') ? verificationPart : {}),
    ...(Object.hasOwn(change, 'verify') ? { verifyInSandbox: true, askedChecks } : {}),
    ...(demoted ? { synthesis: false } : {}),
  };
}
