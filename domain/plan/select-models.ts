import { listNeeds } from '../executors/kinds.ts';
import type { Model, ModelRole } from '../types/llm.ts';
import type { Subtask } from '../types/subtask.ts';
import { listModelNeeds } from './judge-needs.ts';

/** Selects the models that a plan's subtasks may use: those with a role that a subtask may need, and the compactors of these. */
export function selectModels(subtasks: readonly Subtask[], models: readonly Model[]): Model[] {
  const needed = subtasks.flatMap((subtask) => listModelNeeds(subtask).map(({ role }) => role));
  const isLed = subtasks.some(({ executor }) => listNeeds(executor).models.length > 0);
  const mayBeJudged = subtasks.some(({ whenUnchecked }) => whenUnchecked === 'judge');
  const roles = new Set<ModelRole>([
    ...needed,
    ...(isLed ? (['compactor'] as const) : []),
    ...(mayBeJudged ? (['verifier'] as const) : []),
  ]);
  return models.filter((model) => [...roles].some((role) => model.roles.includes(role)));
}
