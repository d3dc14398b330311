import type { PlanChanges, PlanSoFar, Replan } from '../types/plan.ts';
import { hasEnded, type Subtask, type Tier } from '../types/subtask.ts';
import { quoteName } from '../input/problem.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { checkTopology } from './topology.ts';

/** A valid new plan, with every earlier subtask in its old position; or its problems, for the author. */
export type CheckedReplan = { subtasks: Subtask[]; changes: PlanChanges } | { problems: string[] };

type Standing = PlanSoFar['subtasks'][number];

/**
 * Checks the contract of a new plan: completed subtasks stay as they are, none disappears without a reason, each change has a reason,
 * and the result is a valid plan. `before` are the definitions so far.
 */
export function checkReplan(before: readonly Subtask[], have: PlanSoFar, replan: Replan): CheckedReplan {
  const standing = new Map(have.subtasks.map((subtask) => [subtask.id, subtask]));
  const keptById = new Map(replan.kept.map((entry) => [entry.id, entry]));
  const superseded = new Set(replan.superseded.map(({ id }) => id));
  const now = before.map((subtask) => merge(subtask, keptById.get(subtask.id), standing.get(subtask.id)));
  const retargeted = now.filter((subtask, index) => canonicalJson(subtask) !== canonicalJson(before[index]));
  const changes: PlanChanges = {
    reason: replan.reason,
    added: replan.added.map(({ id }) => id),
    retargeted: retargeted.map(({ id }) => id),
    superseded: replan.superseded,
  };
  const subtasks = [...now, ...replan.added];
  const problems = [
    ...wrongReasons(replan),
    ...wrongIds(replan, standing),
    ...droppedThoughCritical(before, superseded),
    ...lost(have, keptById, superseded),
    ...changedAfterItsEnd(retargeted, standing),
    ...unchanged(have, changes),
    ...deadEnds(subtasks, standing, superseded),
    ...listTopologyProblems(subtasks, standing, superseded),
  ];
  return problems.length === 0 ? { subtasks, changes } : { problems };
}

/** An attempted subtask keeps at least its tier, because the ladder never descends. */
function merge(before: Subtask, kept: Replan['kept'][number] | undefined, standing: Standing | undefined): Subtask {
  if (kept === undefined) return before;
  const tier: Tier = kept.tier ?? before.tier;
  return { ...before, ...kept, tier: (standing?.attempts ?? 0) > 0 && tier < before.tier ? before.tier : tier };
}

function* wrongReasons({ reason, superseded }: Replan): Generator<string> {
  if (reason.trim() === '') yield 'The new plan has no `reason`: say in one sentence why it is better.';
  for (const { id, reason: why } of superseded)
    if (why.trim() === '') yield `${quoteName(id)} is superseded without a \`reason\`.`;
}

function* wrongIds({ kept, superseded }: Replan, standing: ReadonlyMap<string, Standing>): Generator<string> {
  const named = new Set<string>();
  for (const { id } of [...kept, ...superseded]) {
    if (named.has(id)) yield `${quoteName(id)} is named twice: it is kept once, or superseded.`;
    named.add(id);
  }
  for (const { id } of superseded) {
    const current = standing.get(id);
    if (current === undefined) yield `${quoteName(id)} is superseded, but it is not in the plan so far.`;
    else if (hasEnded(current.status))
      yield `${quoteName(id)} is ${current.status} and cannot be superseded: list it with its id alone.`;
  }
}

/** Only a person may give up what a person called critical. */
function* droppedThoughCritical(before: readonly Subtask[], superseded: ReadonlySet<string>): Generator<string> {
  for (const { id, critical } of before)
    if (critical && superseded.has(id)) yield `${quoteName(id)} is critical and cannot be superseded: keep it.`;
}

/** Subtasks that ended without success stay, named or not. */
function* lost(
  { subtasks }: PlanSoFar,
  keptById: ReadonlyMap<string, unknown>,
  superseded: ReadonlySet<string>,
): Generator<string> {
  for (const { id, status } of subtasks) {
    if (keptById.has(id) || superseded.has(id)) continue;
    if (status === 'completed') yield `${quoteName(id)} is completed and stays: list it with its id alone.`;
    else if (!hasEnded(status))
      yield `${quoteName(id)} is missing: list it, or name it in \`superseded\` with a reason.`;
  }
}

function* changedAfterItsEnd(
  retargeted: readonly Subtask[],
  standing: ReadonlyMap<string, Standing>,
): Generator<string> {
  for (const { id } of retargeted) {
    const status = standing.get(id)?.status;
    if (status !== undefined && hasEnded(status))
      yield `${quoteName(id)} is ${status} and cannot be changed: list it with its id alone.`;
  }
}

function* unchanged({ exhausted }: PlanSoFar, { added, retargeted, superseded }: PlanChanges): Generator<string> {
  const changed = new Set([...retargeted, ...superseded.map(({ id }) => id)]);
  if (added.length === 0 && changed.size === 0) yield 'The new plan changes nothing.';
  for (const id of exhausted)
    if (!changed.has(id)) yield `${quoteName(id)} cannot continue as it is: change it, or name it in \`superseded\`.`;
}

/** Open subtasks that depend on one without a result. */
function* deadEnds(
  subtasks: readonly Subtask[],
  standing: ReadonlyMap<string, Standing>,
  superseded: ReadonlySet<string>,
): Generator<string> {
  for (const { id, dependsOn } of subtasks) {
    if (superseded.has(id) || hasEnded(standing.get(id)?.status ?? 'pending')) continue;
    for (const dependency of dependsOn) {
      const status = standing.get(dependency)?.status;
      if (superseded.has(dependency))
        yield `${quoteName(id)} depends on ${quoteName(dependency)}, which is superseded: change its \`dependsOn\`.`;
      if (status === 'failed' || status === 'blocked')
        yield `${quoteName(id)} depends on ${quoteName(dependency)}, which is ${status}: change its \`dependsOn\`.`;
    }
  }
}

/**
 * Checks the graph as in any plan. Superseded subtasks are dropped, since their dependents were reported above; ended ones wait for
 * nothing, and others may use their results.
 */
function listTopologyProblems(
  subtasks: readonly Subtask[],
  standing: ReadonlyMap<string, Standing>,
  superseded: ReadonlySet<string>,
): string[] {
  const plan = subtasks
    .filter(({ id }) => !superseded.has(id))
    .map(({ id, dependsOn, synthesis }) =>
      hasEnded(standing.get(id)?.status ?? 'pending')
        ? { id, dependsOn: [], synthesis: false }
        : { id, dependsOn: dependsOn.filter((dependency) => !superseded.has(dependency)), synthesis },
    );
  return checkTopology(plan).map(({ message }) => message);
}
