import { checkPlanner, hasPlanner } from '../../domain/config/check-planner.ts';
import { foundLayer, type ModelSearch } from '../../domain/config/found-models.ts';
import { addFoundModels, namesModels, type ResolvedConfig } from '../../domain/config/layers.ts';
import { needsModel } from '../../domain/config/needs-model.ts';
import { valueAt } from '../../domain/input/problem.ts';
import type { CheckedPlan } from '../../domain/schema/plan-schema.ts';
import { configUnderProcess, routeModels } from '../../domain/process/config-under-process.ts';
import type { FilledProcess } from '../../domain/types/process.ts';
import { findModels } from '../discovery/find-models.ts';
import type { Secrets } from '../redact/secrets.ts';

interface TaskConfigOptions {
  secrets: Secrets;
  /** The config as files and starter say it. */
  config: ResolvedConfig;
  /** The process of the task changes its config. */
  process: FilledProcess | undefined;
}

/**
 * The config of a task with the models that its starter found. Where a starter did not look, as a bare client does not, a task that needs
 * a model gets those of this worker's environment. Throws `MODEL_NOT_CONFIGURED` for a goal that none can plan; a process has its phases.
 */
export async function findTaskConfig(
  raw: unknown,
  plan: CheckedPlan,
  { secrets, config, process }: TaskConfigOptions,
): Promise<ResolvedConfig> {
  const change = (plain: ResolvedConfig): ResolvedConfig =>
    process === undefined ? plain : configUnderProcess(plain, process);
  const search = (options?: { all: boolean }): Promise<ModelSearch> =>
    findModels({ value: (name) => secrets.value(name) }, options);
  const isPlanned = plan.subtasks.length === 0 && process === undefined;
  const isSearched = namesModels(config) || valueAt(raw, ['config', 'found']) !== undefined;
  if (isSearched || !needsModel(plan, raw, change(config))) {
    if (isPlanned && !hasPlanner(config.models)) checkPlanner(config.models, (await search({ all: true })).seen);
    return withModels(change(config));
  }
  const { seen, settings } = await search();
  const whole = settings === undefined ? config : addFoundModels(config, foundLayer(settings));
  if (isPlanned) checkPlanner(whole.models, seen);
  return withModels(change(whole));
}

const withModels = (config: ResolvedConfig): ResolvedConfig =>
  config.process === undefined ? config : { ...config, models: routeModels(config.models, config.process) };
