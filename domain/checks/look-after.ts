import type { Model } from '../types/llm.ts';
import type { Subtask } from '../types/subtask.ts';
import { onlyReads } from './has-check.ts';

/** A plan that a model made, or a part of one. */
interface ModelsPlan {
  subtasks: readonly Subtask[];
  /** Ids of the subtasks that a model wrote. */
  written: 'all' | ReadonlySet<string>;
  /** Ids of subtasks that are no longer part of the plan. */
  superseded?: ReadonlySet<string>;
  models: readonly Model[];
  /** Whether the plan has a budget of `costUsd`, which only prices can keep. */
  costLimited: boolean;
}

/**
 * Marks the subtasks of a model's plan whose result must not stand unchecked: those that can change something, and the last ones. A judge
 * looks at such a result where there is one; else, and where the judge cannot be read, a person is asked.
 */
export function lookAfter({ subtasks, written, superseded, models, costLimited }: ModelsPlan): Subtask[] {
  const present = subtasks.filter(({ id }) => superseded?.has(id) !== true);
  const last = findLastIds(present);
  const hasJudge = canJudge(models, costLimited);
  return subtasks.map((subtask) => {
    if (written !== 'all' && !written.has(subtask.id)) return subtask;
    const { whenUnchecked: _, ...bare } = subtask;
    if (onlyReads(subtask.executor) && !last.has(subtask.id)) return bare;
    return { ...bare, whenUnchecked: hasJudge && isJudgeable(subtask) ? 'judge' : 'ask' };
  });
}

/** What nothing else waits for: with a synthesis, which waits for all others, that alone. */
function findLastIds(subtasks: readonly Subtask[]): Set<string> {
  const synthesis = subtasks.filter((subtask) => subtask.synthesis);
  const waitedFor = new Set(subtasks.flatMap(({ dependsOn }) => dependsOn));
  const ends = synthesis.length > 0 ? synthesis : subtasks.filter(({ id }) => !waitedFor.has(id));
  return new Set(ends.map(({ id }) => id));
}

/** A copy is merged before anybody could judge it, and the check of the goal leaves nothing to look at. */
const isJudgeable = ({ isolation, goalCheck }: Subtask): boolean => isolation === undefined && goalCheck !== true;

/** Whether a judge can be asked that the plan did not name: one that would break the budget cannot. */
function canJudge(models: readonly Model[], costLimited: boolean): boolean {
  const judges = models.filter(({ roles }) => roles.includes('verifier'));
  return judges.length > 0 && (!costLimited || judges.every(({ price }) => price !== undefined));
}
