import { resolve } from 'node:path';
import { environmentLayer } from '../../../domain/config/environment.ts';
import { flagLayer } from '../../../domain/config/flags.ts';
import type { ConfigFile } from '../../../domain/config/layer.ts';
import { resolveConfig, type ResolvedConfig } from '../../../domain/config/layers.ts';
import type { Ports } from '../../ports/ports.ts';

/** The config of the current folder, with flags, and the files that it was read from. `use` says what of them counts. */
export async function configHere(
  ports: Pick<Ports, 'cwd' | 'env' | 'readConfig'>,
  flags: readonly string[],
  use: (files: readonly ConfigFile[]) => readonly ConfigFile[],
): Promise<{ files: ConfigFile[]; config: ResolvedConfig }> {
  const files = (await ports.readConfig(ports.cwd)) ?? [];
  const layers = use(files).flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
  const above = [flagLayer(flags, (path) => resolve(ports.cwd, path))];
  return { files, config: resolveConfig({ below: [...layers, environmentLayer(ports.env)], above }) };
}
