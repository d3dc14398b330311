import { createHash } from 'node:crypto';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigFile } from '../../../domain/config/layer.ts';
import type { ShownValue } from '../../../domain/config/show-config.ts';
import { isUntrusted } from '../../../domain/config/trust.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { writeToml } from '../../../domain/input/toml-write.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { buildConfigText, chooseProvider, describeText } from './init-text.ts';
import { describeConfig } from '../../config/describe-config.ts';
import { showFolderConfig } from '../../config/show-folder-config.ts';

export interface InitOptions {
  force?: boolean;
  /** The service whose models are written. */
  model?: string;
  /** Writes every setting, commented out. */
  all?: boolean;
}

/** `heddle init`: a heddle.toml with the models of a service. What it writes is trusted, as it is. */
export async function initCommand(
  context: Context,
  { force = false, model, all = false }: InitOptions,
): Promise<number> {
  const { ports, output } = context;
  const path = join(ports.cwd, 'heddle.toml');
  const chosen = model ?? (await chooseProvider(context));
  const text = await buildConfigText(ports, { provider: chosen, all });
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw notWritten(path, error);
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  await ports.trustConfig({ path: join(await realpath(ports.cwd), 'heddle.toml'), sha256 });
  if (output.json) output.data({ path });
  else output.print(`Wrote ${path}.`, `${describeText(chosen)} \`heddle config\` shows the values in effect.`);
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
  const { files, values, isUntrusted: hasUntrusted, suspicious } = await showFolderConfig(ports, config);
  if (output.json) {
    output.data(describeConfig({ files, values }));
  } else {
    output.print(...fileLines(files), '', ...renderTable(values.map(toRow), output.width, output.paint));
  }
  if (hasUntrusted && !output.json) {
    output.note(
      `note: settings that are not trusted have no effect: no task is started until you run \`heddle trust\`.`,
    );
  }
  for (const { name, suggestion } of suspicious) {
    output.note(`note: ${plainLine(name)} is not a setting and has no effect; did you mean ${suggestion}?`);
  }
  return exits.done;
}

const fileLines = (files: readonly ConfigFile[]): string[] =>
  files.map((file) => {
    const state = file.layer === undefined ? ' (not found)' : isUntrusted(file) ? ' (not trusted)' : '';
    return `${file.kind} file: ${plainLine(file.path)}${state}`;
  });

function toRow({ key, value, origin, untrusted }: ShownValue): Row {
  const text = value === null ? '(not set)' : plainLine(writeToml(value));
  const cells = [key, plainLine(origin.place), untrusted === undefined ? text : `(not trusted) ${text}`];
  if (untrusted !== undefined) return { cells, style: 'yellow' };
  return origin.from === 'default' ? { cells, style: 'dim' } : { cells };
}
