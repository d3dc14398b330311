import { resolve } from 'node:path';
import { absolutePaths } from '../../domain/config/absolute-paths.ts';
import { checkLayer, type ConfigLayer, type FileIdentity, type Origin } from '../../domain/config/layer.ts';
import type { ResolvedConfig } from '../../domain/config/layers.ts';
import { foundLayer } from '../../domain/config/found-models.ts';
import { addFoundModels, resolveConfig } from '../../domain/config/layers.ts';
import { trustedFiles } from '../../domain/config/trust.ts';
import { isTable } from '../../domain/input/is-table.ts';
import { valueAt } from '../../domain/input/problem.ts';
import { readConfigFiles } from './read-config.ts';
import { loadTrust } from './trust-records.ts';

/** The host and folder in which a task is prepared. */
interface ConfigLocation {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** The home, which knows the files that its user trusts. */
  root: string;
}

/**
 * The config of a task, where its workspace is: the files here, and what its starter said in the plan that was sent. A project's file that
 * needs trust has it by the home of this host, or by its starter, who vouches for the very bytes that are read here.
 */
export async function resolveTaskConfig(plan: unknown, options: ConfigLocation): Promise<ResolvedConfig> {
  const userFile = valueAt(plan, ['config', 'userFile']);
  const read = await readConfigFiles({
    env: options.env,
    folder: options.workspace,
    trustOf: (identity) => loadTrust(options.root, identity),
    ...(typeof userFile === 'string' ? { userFile } : {}),
  });
  const vouched = (key: keyof FileIdentity): unknown => valueAt(plan, ['config', 'trusted', key]);
  const files = trustedFiles(read, ({ path, sha256 }) => vouched('path') === path && vouched('sha256') === sha256);
  const config = resolveConfig({
    below: [
      ...files.flatMap(({ layer }) => (layer === undefined ? [] : [layer])),
      ...buildStarterLayers(plan, 'environment', 'environment', options.workspace),
    ],
    above: buildStarterLayers(plan, 'flags', 'flag', options.workspace),
  });
  const settings = valueAt(plan, ['config', 'found']);
  return isTable(settings) ? addFoundModels(config, foundLayer(settings)) : config;
}

/** Our own command line sends absolute paths; what others send is seen from the workspace. */
function buildStarterLayers(
  plan: unknown,
  name: 'environment' | 'flags',
  from: Origin['from'],
  workspace: string,
): ConfigLayer[] {
  const raw = valueAt(plan, ['config', name]);
  if (typeof raw !== 'object' || raw === null) return [];
  const whole = absolutePaths({ ...raw }, (path) => resolve(workspace, path));
  return [checkLayer(whole, { originOf: (path) => ({ from, place: ['config', name, ...path].join('.') }) })];
}
