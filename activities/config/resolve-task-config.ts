import type { Config } from '../../domain/schema/config-schema.ts';
import type { ConfigLayer } from '../../domain/config/layer.ts';
import type { ResolvedConfig } from '../../domain/config/layers.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import type { Plan } from '../../domain/schema/plan-schema.ts';
import { readConfigFiles } from './read-config.ts';

/** The config of a task, where its workspace is: the files here, and what its starter said. */
export async function resolveTaskConfig(
  starter: Plan['config'] = {},
  options: { env: Readonly<Record<string, string | undefined>>; workspace: string },
): Promise<ResolvedConfig> {
  const { environment, flags, userFile } = starter;
  const files = await readConfigFiles({
    env: options.env,
    folder: options.workspace,
    ...(userFile === undefined ? {} : { userFile }),
  });
  return resolveConfig({
    below: [...files.flatMap(({ layer }) => (layer === undefined ? [] : [layer])), ...said('environment', environment)],
    above: said('flags', flags),
  });
}

/** Checked already, as a part of the plan. */
function said(name: 'environment' | 'flags', values: Config | undefined): ConfigLayer[] {
  if (values === undefined) return [];
  const from = name === 'flags' ? 'flag' : 'environment';
  return [{ raw: values, values, originOf: (path) => ({ from, place: ['config', name, ...path].join('.') }) }];
}
