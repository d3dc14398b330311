import { resolve } from 'node:path';
import { absoluteScripts } from '../../domain/config/absolute-scripts.ts';
import { checkLayer, type ConfigLayer, type Origin } from '../../domain/config/layer.ts';
import type { ResolvedConfig } from '../../domain/config/layers.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import { valueAt } from '../../domain/source/problem.ts';
import { readConfigFiles } from './read-config.ts';

/** The config of a task, where its workspace is: the files here, and what its starter said in the plan that was sent. */
export async function resolveTaskConfig(
  plan: unknown,
  options: { env: Readonly<Record<string, string | undefined>>; workspace: string },
): Promise<ResolvedConfig> {
  const userFile = valueAt(plan, ['config', 'userFile']);
  const files = await readConfigFiles({
    env: options.env,
    folder: options.workspace,
    ...(typeof userFile === 'string' ? { userFile } : {}),
  });
  return resolveConfig({
    below: [
      ...files.flatMap(({ layer }) => (layer === undefined ? [] : [layer])),
      ...said(plan, 'environment', 'environment', options.workspace),
    ],
    above: said(plan, 'flags', 'flag', options.workspace),
  });
}

/** Our own command line sends absolute paths; what others send is seen from the workspace. */
function said(plan: unknown, name: 'environment' | 'flags', from: Origin['from'], workspace: string): ConfigLayer[] {
  const raw = valueAt(plan, ['config', name]);
  if (typeof raw !== 'object' || raw === null) return [];
  const whole = absoluteScripts({ ...raw }, (path) => resolve(workspace, path));
  return [checkLayer(whole, { originOf: (path) => ({ from, place: ['config', name, ...path].join('.') }) })];
}
