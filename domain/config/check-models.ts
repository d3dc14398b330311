import type { Problem } from '../errors/heddle-error.ts';
import { completeModel, completeProvider, isModelProblem, type ModelProblem } from '../llm/complete-model.ts';
import type { Model, Provider } from '../types/llm.ts';
import type { Config } from '../schema/config-schema.ts';
import type { PlanPath } from '../input/problem.ts';
import { locateValue } from './check-config.ts';
import type { ConfigLayer } from './layer.ts';

/** Resolves each model and its provider from all layers together, in the order of the files. */
export function checkModels(
  { providers = {}, models = {} }: Config,
  layers: readonly ConfigLayer[],
): { models: Model[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const keepComplete = <T extends object>(whole: T | ModelProblem | undefined, path: PlanPath): T | undefined => {
    if (whole === undefined || !isModelProblem(whole)) return whole;
    const { path: inside, ...problem } = whole;
    problems.push({ ...problem, where: locateValue(layers, [...path, ...inside]) });
    return undefined;
  };
  const providersByName = new Map<string, Provider | undefined>();
  for (const [name, given] of Object.entries(providers)) {
    providersByName.set(name, keepComplete<Provider>(completeProvider(name, given), ['providers', name]));
  }
  const whole = Object.entries(models).flatMap(([name, given]) => {
    const model = keepComplete<Model>(completeModel(name, given, providersByName), ['models', name]);
    return model === undefined ? [] : [model];
  });
  return { models: whole, problems };
}
