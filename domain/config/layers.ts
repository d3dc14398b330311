import type { FilledProcess } from '../types/process.ts';
import type { Ref } from '../types/basic/ref.ts';
import { checkExecutors, checkNames } from './check-config.ts';
import { checkModels } from './check-models.ts';
import { defaultConfig } from './keys/all-keys.ts';
import type { ConfigLayer } from './layer.ts';
import { checkLayer } from './layer.ts';
import { mergeConfig } from './merge.ts';
import { checkServers, checkToolNames } from './servers.ts';
import { configError } from './problem.ts';
import type { Config } from '../schema/config-schema.ts';
import type { PlannedExecutor } from '../executors/kinds.ts';
import type { Model } from '../types/llm.ts';

/** All sources, weakest first. The plan ranks above `below` and under `above`. */
export interface ConfigLayers {
  below: readonly ConfigLayer[];
  /** The flags, which override the plan. */
  above: readonly ConfigLayer[];
}

/** The config of a task: merged, checked as a whole, its executors and models complete. */
export interface ResolvedConfig {
  layers: readonly ConfigLayer[];
  /** The strongest value of each key, the plan not counted. */
  values: Config;
  /** Only the values that override the plan. */
  above: Config;
  executors: Record<string, PlannedExecutor>;
  /** The models in the order of the files. */
  models: Model[];
  /** The process that the task follows, with the values of its inputs. */
  process?: FilledProcess;
}

/** The part of a config that a task stores: JSON. */
export interface FrozenConfig extends Omit<ResolvedConfig, 'layers'> {
  /** The project's notes for agents, in the store. */
  projectNotes?: Ref;
}

/** Merges the layers over the defaults. Throws a `CONFIG_...` error when they do not fit together. */
export function resolveConfig({ below, above }: ConfigLayers): ResolvedConfig {
  const values = mergeConfig<Config>({}, ...above.map((layer) => layer.values));
  return resolveLayers([defaultLayer(), ...below, ...above], values);
}

/** Puts models that were found just above the defaults, unless a layer names a model: then the user's choice stands alone. */
export function addFoundModels(config: ResolvedConfig, layer: ConfigLayer): ResolvedConfig {
  const [defaults, ...others] = config.layers;
  if (defaults === undefined || namesModels(config)) return config;
  return resolveLayers([defaults, layer, ...others], config.above);
}

/** Decides if a layer of the config names a model. */
export const namesModels = ({ values }: Pick<ResolvedConfig, 'values'>): boolean =>
  Object.keys(values.models ?? {}).length > 0;

function resolveLayers(layers: readonly ConfigLayer[], above: Config): ResolvedConfig {
  const values = mergeConfig<Config>({}, ...layers.map((layer) => layer.values));
  const { executors, problems } = checkExecutors(values, layers);
  const { models, problems: modelProblems } = checkModels(values, layers);
  const all = [
    ...problems,
    ...modelProblems,
    ...checkNames(values, layers),
    ...checkServers(values, layers),
    ...checkToolNames(values, layers),
  ];
  if (all.length > 0) throw configError(all);
  return { layers, values, above, executors, models };
}

/** The config when no source sets anything. */
export const noConfig = (): ResolvedConfig => resolveConfig({ below: [], above: [] });

/** A user's settings in any folder: the defaults under the user's own file. */
export const ownSettings = (file: ConfigLayer | undefined): Config =>
  mergeConfig<Config>(defaultLayer().values, file?.values ?? {});

const defaultLayer = (): ConfigLayer =>
  checkLayer(defaultConfig(), { originOf: () => ({ from: 'default', place: 'default' }) });
