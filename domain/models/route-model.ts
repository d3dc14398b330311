import type { Model, ModelRole } from '../model/models.ts';
import type { Tier } from '../model/subtask.ts';

/** The model that serves a role at a tier: the nearest at or above, else the highest below; the first of equals. */
export function routeModel(
  models: readonly Model[],
  { role, tier, name }: { role: ModelRole; tier: Tier; name?: string },
): Model | undefined {
  const serving = models.filter((model) => model.roles.includes(role) && (name === undefined || model.name === name));
  const distance = (model: Model): number => (model.tier >= tier ? model.tier - tier : 10 + tier - model.tier);
  return serving.reduce<Model | undefined>(
    (best, model) => (best === undefined || distance(model) < distance(best) ? model : best),
    undefined,
  );
}
