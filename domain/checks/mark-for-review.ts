import { hasKnownCost } from '../llm/price.ts';
import type { Model } from '../types/llm.ts';
import type { Subtask } from '../types/subtask.ts';
import { isReadOnlyExecutor } from './has-check.ts';

/** A plan that a model made in whole or in part. */
interface ReviewedPlan {
  subtasks: readonly Subtask[];
  /** Ids of the subtasks that a model wrote. */
  written: 'all' | ReadonlySet<string>;
  /** Ids of subtasks that are no longer part of the plan. */
  superseded?: ReadonlySet<string>;
  models: readonly Model[];
  /** The plan has a budget of `costUsd`, which needs models with prices. */
  costLimited: boolean;
}

/**
 * Marks the subtasks of a model's plan whose result must not stay unchecked: those that can change something, and the last ones. A judge
 * reviews such a result if there is one; otherwise, and where the judge's reply is unreadable, a person is asked.
 */
export function markForReview({ subtasks, written, superseded, models, costLimited }: ReviewedPlan): Subtask[] {
  const present = subtasks.filter(({ id }) => superseded?.has(id) !== true);
  const last = findLastIds(present);
  const hasJudge = canJudge(models, costLimited);
  return subtasks.map((subtask) => {
    if (written !== 'all' && !written.has(subtask.id)) return subtask;
    const { whenUnchecked: _, ...bare } = subtask;
    if (isReadOnlyExecutor(subtask.executor) && !last.has(subtask.id)) return bare;
    return { ...bare, whenUnchecked: hasJudge && isJudgeable(subtask) ? 'judge' : 'ask' };
  });
}

/** Lists the subtasks that no other one waits for. A synthesis waits for all others, so it is the only one. */
function findLastIds(subtasks: readonly Subtask[]): Set<string> {
  const synthesis = subtasks.filter((subtask) => subtask.synthesis);
  const waitedFor = new Set(subtasks.flatMap(({ dependsOn }) => dependsOn));
  const ends = synthesis.length > 0 ? synthesis : subtasks.filter(({ id }) => !waitedFor.has(id));
  return new Set(ends.map(({ id }) => id));
}

/** A copy is merged before it could be judged, and the check of the goal has no result to judge. */
const isJudgeable = ({ isolation, goalCheck }: Subtask): boolean => isolation === undefined && goalCheck !== true;

/** Decides if a judge is available that the plan did not name; a judge without a price would break the budget. */
function canJudge(models: readonly Model[], costLimited: boolean): boolean {
  const judges = models.filter(({ roles }) => roles.includes('verifier'));
  return judges.length > 0 && (!costLimited || judges.every(hasKnownCost));
}
