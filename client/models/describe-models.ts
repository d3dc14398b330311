import type { Model } from '../../domain/types/llm.ts';
import type { ModelCheck } from '../ports/models.ts';
import { listRoutes } from './list-models.ts';

/** Models, with what their checks came to, and routes as JSON. A provider's key is in neither. */
export function describeModels(models: readonly Model[], checks?: ReadonlyMap<Model, ModelCheck>) {
  return {
    models: models.map((model) => {
      const { name, provider, id, tier, roles } = model;
      return { name, provider: provider.name, id, tier, roles, ...checks?.get(model) };
    }),
    routes: listRoutes(models).map(({ role, tier, model }) => ({ role, tier, model: model?.name ?? null })),
  };
}
