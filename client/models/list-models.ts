import { modelRoles } from '../../domain/llm/model-schema.ts';
import { fallsShort, routeModel } from '../../domain/llm/route-model.ts';
import type { ModelSettings } from '../../domain/llm/built-in-models.ts';
import type { Model, ModelRole } from '../../domain/types/llm.ts';
import type { Tier } from '../../domain/types/subtask.ts';
import { loadFolderConfig, type FolderConfigPorts } from '../config/load-folder-config.ts';
import { trustedHere } from '../start/trusted-here.ts';

export const tiers: readonly Tier[] = [1, 2, 3];

/** The model that serves a role at a tier; null where none does. */
export interface ModelRoute {
  role: ModelRole;
  tier: Tier;
  model: Model | null;
  /** The model is weaker than the tier asks for. */
  fallsShort: boolean;
}

export interface ListedModels {
  models: readonly Model[];
  /** The settings of models that no config names. */
  settings: ModelSettings | undefined;
}

/** The models of a folder's config, or those of this machine. Settings of files that are not trusted do not count. */
export async function listModels(ports: FolderConfigPorts, flags: readonly string[]): Promise<ListedModels> {
  const { config, settings } = await loadFolderConfig(ports, flags, (files) => trustedHere(files, ports.env));
  return { models: config.models, settings };
}

/** The model that serves each role at each tier. */
export const listRoutes = (models: readonly Model[]): ModelRoute[] =>
  modelRoles.flatMap((role) =>
    tiers.map((tier) => {
      const model = routeModel(models, { role, tier }) ?? null;
      return { role, tier, model, fallsShort: model !== null && fallsShort(model, tier) };
    }),
  );
