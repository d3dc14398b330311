import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suspiciousVariables } from '../../../domain/config/environment.ts';
import type { ConfigFile } from '../../../domain/config/layer.ts';
import { showConfig, type ShownValue } from '../../../domain/config/show-config.ts';
import { configTemplate } from '../../../domain/config/template.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import { writeToml } from '../../../domain/source/toml-write.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { renderTable, type Row } from '../render/table.ts';
import { plainLine } from '../../text/terminal-text.ts';
import { configHere } from './config-here.ts';

/** `heddle init`: a heddle.toml with every key in it, commented. */
export async function initCommand({ ports, output }: Context, { force = false }: { force?: boolean }): Promise<number> {
  const path = join(ports.cwd, 'heddle.toml');
  try {
    await writeFile(path, configTemplate(), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw notWritten(path, error);
  }
  if (output.json) output.data({ path });
  else output.print(`Wrote ${path}.`, 'Every key is in it, commented out; `heddle config` shows the values in effect.');
  return exits.done;
}

function notWritten(path: string, error: unknown): HeddleError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST') {
    return new HeddleError({
      code: 'CONFIG_EXISTS',
      message: 'There is already a heddle.toml here.',
      where: path,
      hint: 'Use --force to overwrite it; its content is lost.',
    });
  }
  return new HeddleError({
    code: 'CONFIG_NOT_WRITABLE',
    message: `The config file cannot be written (${typeof code === 'string' ? code : String(error)}).`,
    where: path,
    hint: 'Run it in a folder that you can write to.',
  });
}

/** `heddle config`: each value of the current folder's config, and where it came from. */
export async function configCommand(
  { ports, output }: Context,
  { config = [] }: { config?: string[] },
): Promise<number> {
  const { files, config: resolved } = await configHere(ports, config);
  const values = showConfig(resolved);
  if (output.json) {
    output.data({
      files: files.map(toJson),
      values: values.map(({ key, value, origin }) => ({ key, value, ...origin })),
    });
  } else {
    output.print(...fileLines(files), '', ...renderTable(values.map(toRow), output.width, output.paint));
  }
  for (const { name, meant } of suspiciousVariables(ports.env)) {
    output.note(`note: ${plainLine(name)} is not a setting and has no effect; did you mean ${meant}?`);
  }
  return exits.done;
}

const toJson = ({ kind, path, layer }: ConfigFile): object => ({ kind, path, found: layer !== undefined });

const fileLines = (files: readonly ConfigFile[]): string[] =>
  files.map(({ kind, path, layer }) => `${kind} file: ${plainLine(path)}${layer === undefined ? ' (not found)' : ''}`);

function toRow({ key, value, origin }: ShownValue): Row {
  const text = value === null ? '(not set)' : plainLine(writeToml(value));
  const cells = [key, plainLine(origin.place), text];
  return origin.from === 'default' ? { cells, style: 'dim' } : { cells };
}
