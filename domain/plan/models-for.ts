import { needsOf } from '../executors/kinds.ts';
import type { Model, ModelRole } from '../model/models.ts';
import type { Subtask } from '../model/subtask.ts';

/** The models that a plan's subtasks may use: all that serve a role that one of them needs, and those that summarise for them. */
export function modelsFor(subtasks: readonly Subtask[], models: readonly Model[]): Model[] {
  const needed = subtasks.flatMap(({ executor }) => needsOf(executor).models.map(({ role }) => role));
  const roles = new Set<ModelRole>(needed.length === 0 ? [] : [...needed, 'compactor']);
  return models.filter((model) => [...roles].some((role) => model.roles.includes(role)));
}
