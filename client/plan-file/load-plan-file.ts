import type { LoadedPlan, LoadTextOptions } from './load-plan-text.ts';
import { loadPlanText } from './load-plan-text.ts';
import type { PlanReadOptions } from './read-plan-source.ts';
import { readPlanSource } from './read-plan-source.ts';

export type LoadFileOptions = PlanReadOptions & LoadTextOptions;

/** Reads a plan file (`-` is stdin), YAML or JSON. Throws a `HeddleError` whose problems name file, line and column. */
export async function loadPlanFile(path: string, options: LoadFileOptions): Promise<LoadedPlan> {
  return loadPlanText(await readPlanSource(path, options), options);
}
