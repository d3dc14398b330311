import type { Model } from '../../domain/types/llm.ts';
import type { ModelCheck, ModelsPort } from '../ports/models.ts';

/** Sends each model a one-word request, one after the other: models of one machine would slow each other down. */
export async function checkModels(
  port: ModelsPort,
  models: readonly Model[],
  onCheck: (model: Model) => void = () => undefined,
): Promise<Map<Model, ModelCheck>> {
  const checks = new Map<Model, ModelCheck>();
  for (const model of models) {
    onCheck(model);
    checks.set(model, await port.checkModel(model));
  }
  return checks;
}
