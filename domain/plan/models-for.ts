import type { Model } from '../model/models.ts';
import type { Subtask } from '../model/subtask.ts';
import { modelNeedsOf } from './judge-needs.ts';

/** The models that a plan's subtasks may use: all that serve a role that one of them needs. */
export function modelsFor(subtasks: readonly Subtask[], models: readonly Model[]): Model[] {
  const roles = new Set(subtasks.flatMap((subtask) => modelNeedsOf(subtask).map(({ role }) => role)));
  return models.filter((model) => [...roles].some((role) => model.roles.includes(role)));
}
