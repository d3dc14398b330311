import { resolve } from 'node:path';
import { environmentLayer } from '../../domain/config/environment.ts';
import { flagLayer } from '../../domain/config/flags.ts';
import type { ConfigFile } from '../../domain/config/layer.ts';
import { foundLayer } from '../../domain/config/found-models.ts';
import { addFoundModels, namesModels, resolveConfig, type ResolvedConfig } from '../../domain/config/layers.ts';
import type { FilesPort } from '../ports/files.ts';
import type { ModelSettings } from '../../domain/llm/built-in-models.ts';
import type { ModelsPort } from '../ports/models.ts';
import type { TerminalPort } from '../ports/terminal.ts';

export type FolderConfigPorts = Pick<TerminalPort, 'env' | 'cwd'> &
  Pick<FilesPort, 'readConfig'> &
  Pick<ModelsPort, 'findModels'>;

export interface FolderConfig {
  /** The files that were read, whether they count or not. */
  files: ConfigFile[];
  config: ResolvedConfig;
  /** Models of this machine, where the config names none. */
  settings: ModelSettings | undefined;
}

/** The config of a folder, with the environment and the flags of this call, and models that were found where it names none. `use` selects which content of the files counts. */
export async function loadFolderConfig(
  ports: FolderConfigPorts,
  flags: readonly string[],
  use: (files: readonly ConfigFile[]) => readonly ConfigFile[],
): Promise<FolderConfig> {
  const { cwd, env } = ports;
  const files = (await ports.readConfig(cwd)) ?? [];
  const layers = use(files).flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
  const above = [flagLayer(flags, (path) => resolve(cwd, path))];
  const config = resolveConfig({ below: [...layers, environmentLayer(env)], above });
  const settings = namesModels(config) ? undefined : (await ports.findModels())?.settings;
  const whole = settings === undefined ? config : addFoundModels(config, foundLayer(settings));
  return { files, config: whole, settings };
}
