import { checkPlanner, hasPlanner } from '../../domain/config/check-planner.ts';
import { foundLayer, type ModelSearch } from '../../domain/config/found-models.ts';
import { addFoundModels, namesModels, type ResolvedConfig } from '../../domain/config/layers.ts';
import { needsModel } from '../../domain/config/needs-model.ts';
import { valueAt } from '../../domain/input/problem.ts';
import type { CheckedPlan } from '../../domain/schema/plan-schema.ts';
import { resolveTaskConfig } from '../config/resolve-task-config.ts';
import { findModels } from '../discovery/find-models.ts';
import type { Secrets } from '../redact/secrets.ts';

/**
 * The config of a task with the models that its starter found. Where a starter did not look, as a bare client does not, a task that needs
 * a model gets those of this worker's environment. Throws `MODEL_NOT_CONFIGURED` for a goal that none can plan.
 */
export async function findTaskConfig(
  raw: unknown,
  plan: CheckedPlan,
  { secrets, workspace, root }: { secrets: Secrets; workspace: string; root: string },
): Promise<ResolvedConfig> {
  const config = await resolveTaskConfig(raw, { env: secrets.environment, workspace, root });
  const search = (options?: { all: boolean }): Promise<ModelSearch> =>
    findModels({ value: (name) => secrets.value(name) }, options);
  const isGoal = plan.subtasks.length === 0;
  const isSearched = namesModels(config) || valueAt(raw, ['config', 'found']) !== undefined;
  if (isSearched || !needsModel(plan, raw, config)) {
    if (isGoal && !hasPlanner(config.models)) checkPlanner(config.models, (await search({ all: true })).seen);
    return config;
  }
  const { seen, settings } = await search();
  const whole = settings === undefined ? config : addFoundModels(config, foundLayer(settings));
  if (isGoal) checkPlanner(whole.models, seen);
  return whole;
}
