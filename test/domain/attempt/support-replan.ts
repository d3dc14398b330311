import type { PlannerOutcome, Planning } from '../../../domain/replan/replan.ts';
import type { AskedCheck } from '../../../domain/types/basic/gate.ts';
import type { Plan, Replan } from '../../../domain/types/plan.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { checkReplan } from '../../../domain/plan/check-replan.ts';
import { buildPlanRow } from '../../../domain/plan/plan-rows.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { nothingUsed } from '../../../domain/llm/usage.ts';
import { refOf, subtask } from '../support-task.ts';

/** Below `below`. */
type Next = (below: number) => number;

const isOver = (status: string): boolean => ['completed', 'failed', 'skipped', 'blocked'].includes(status);

/** A new plan by chance: it keeps, changes and supersedes what is open, and adds some. What breaks the rules is an invalid one. */
export function planByChance(
  { plan: { current: plan }, planner: { spent } }: TaskState,
  { have, grant }: Planning,
  next: Next,
): PlannerOutcome {
  const before = spent?.used ?? nothingUsed;
  const calls = Math.min(1, grant.modelCalls ?? 1);
  const used = {
    costUsd: 0,
    tokens: before.tokens + 1 + next(5),
    modelCalls: (before.modelCalls ?? 0) + calls,
  };
  if (plan?.definitions === null || plan === null) throw new Error('the model keeps its definitions');
  const fate = next(12);
  if (fate === 1) return { kind: 'not-made', problems: ['It could not be read.'], used, models: [] };
  if (fate === 2) {
    const outage = { why: 'It cannot be reached.', category: next(2) === 0 ? 'environment' : 'transient' } as const;
    return { kind: 'not-made', problems: [outage.why], outage, used, models: [] };
  }
  if (fate === 3) {
    const refusal = { type: 'auth', why: 'It refused the key.', model: 'm', provider: 'p' } as const;
    return { kind: 'not-made', problems: [refusal.why], refusal, used, models: [] };
  }
  const checked = checkReplan(plan.definitions, have, chance(plan.definitions, have, next));
  if ('problems' in checked) return { kind: 'not-made', problems: checked.problems, used, models: [] };
  return { kind: 'planned', plan: nextPlan(plan, checked.subtasks), changes: checked.changes, used, models: [] };
}

export const nextPlan = ({ version }: Plan, subtasks: Subtask[]): Plan => ({
  version: version + 1,
  rows: subtasks.map(buildPlanRow),
  pages: [{ ...refOf(version + 1), from: 0, count: subtasks.length }],
  definitions: subtasks,
});

function chance(definitions: readonly Subtask[], have: Planning['have'], next: Next): Replan {
  const replan: Replan = { reason: 'the first plan does not work', kept: [], added: [], superseded: [] };
  const statuses = new Map(have.subtasks.map(({ id, status }) => [id, status]));
  const fates = new Map(have.subtasks.map(({ id, status }) => [id, isOver(status) ? 0 : next(8)]));
  for (const [id, fate] of fates) if (fate === 1) replan.superseded.push({ id, reason: 'it is not needed' });
  const isGone = (id: string): boolean => fates.get(id) === 1 || ['failed', 'blocked'].includes(statuses.get(id) ?? '');
  // Dependencies point backwards, never to a synthesis.
  const before: string[] = [];
  for (const { id, dependsOn, synthesis } of definitions) {
    const fate = fates.get(id) ?? 0;
    const isOpen = !isOver(statuses.get(id) ?? '');
    const left = dependsOn.filter((dependency) => !isGone(dependency));
    const redirected = isOpen && left.length < dependsOn.length ? { dependsOn: left } : {};
    if (fate !== 1) replan.kept.push({ id, ...redirected, ...(isOpen ? retargeting(fate, before, next) : {}) });
    if (!synthesis && !isGone(id)) before.push(id);
  }
  for (let more = next(4) - 1; more > 0; more -= 1) {
    const id = `n${have.version}-${more}`;
    replan.added.push(subtask(id, { synthesis: next(9) === 1, dependsOn: some(before, next) }));
    if (replan.added.at(-1)?.synthesis === false) before.push(id);
  }
  return replan;
}

const newCheck: AskedCheck = {
  command: 'make check',
  why: 'A rule asks.',
  hash: 'c2',
  danger: 'rule',
  signature: 'gate:rule:make',
};

function retargeting(fate: number, before: readonly string[], next: Next): Partial<Subtask> {
  switch (fate) {
    case 2:
      return { description: 'something else' };
    case 3:
      return { description: 'something harder', tier: 2, maxAttempts: 1 + next(3) };
    case 4:
      return { description: 'another file', deliverables: [next(2) === 0 ? 'x.md' : 'y.md'] };
    case 5:
      return { description: 'with more', dependsOn: some(before, next) };
    case 6:
      return { description: 'with another check', askedChecks: [newCheck] };
    default:
      return {};
  }
}

const some = (ids: readonly string[], next: Next): string[] =>
  ids.length === 0 ? [] : [...new Set([next(ids.length), next(ids.length)])].map((index) => ids[index] ?? '');
