import { resolve } from 'node:path';
import { environmentLayer } from '../../domain/config/environment.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import type { FilesPort } from '../ports/files.ts';
import type { ProcessSearch } from '../ports/processes.ts';
import type { TerminalPort } from '../ports/terminal.ts';

/** Finds the places to search for processes of a folder. A project's file has its effect as far as it is trusted. */
export async function findSearchPlace(
  { cwd, env, readConfig }: Pick<TerminalPort, 'cwd' | 'env'> & Pick<FilesPort, 'readConfig'>,
  workspace: string = cwd,
): Promise<ProcessSearch> {
  const files = (await readConfig(workspace)) ?? [];
  const layers = files.flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
  const { values } = resolveConfig({ below: [...layers, environmentLayer(env, 'task')], above: [] });
  return { workspace: resolve(cwd, workspace), paths: values.processes?.paths ?? [] };
}
