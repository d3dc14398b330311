import { dirname } from 'node:path';
import { showSensitive, type ShownValue } from '../../../domain/config/show-config.ts';
import { writeToml } from '../../../domain/input/toml-write.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';

/** `heddle trust`: the project's file from here upwards may have its full effect, with the content that is shown, and its folder is trusted as it is. */
export async function trustCommand(context: Context, { revoke = false }: { revoke?: boolean }): Promise<number> {
  if (revoke) return distrust(context);
  const { ports, output } = context;
  const files = (await ports.readConfig(ports.cwd)) ?? [];
  const file = files.find(({ kind }) => kind === 'project');
  if (file?.kind !== 'project') return trustFolder(context);
  const { path, sha256 } = file.identity;
  // The content that was read is shown and trusted, whatever the file has become meanwhile.
  await ports.trustConfig(file.identity);
  await ports.trustFolder(dirname(path));
  const values = showSensitive(file);
  if (output.json) output.data({ path, sha256, trusted: true, values: values.map(toJson) });
  else if (values.length === 0)
    output.print(`Trusted ${plainLine(path)}. Its present content has no setting that needs trust.`);
  else {
    output.print(
      `Trusted ${plainLine(path)}, until it changes. This has effect from now on:`,
      '',
      // Whole, however narrow the terminal is: nobody trusts what was cut off.
      ...renderTable(values.map(toRow), Infinity, output.paint),
    );
  }
  return exits.done;
}

/** A folder without a project's file can be trusted too: then its own commands, such as its tests, need no question. */
async function trustFolder({ ports, output }: Context): Promise<number> {
  const { path, sha256 } = await ports.trustFolder(ports.cwd);
  if (output.json) output.data({ path, sha256, trusted: true, values: [] });
  else output.print(`Trusted the folder ${plainLine(path)}, until its AGENTS.md, .heddle or heddle.toml changes.`);
  return exits.done;
}

async function distrust({ ports, output }: Context): Promise<number> {
  const { path, wasTrusted } = await ports.distrustConfig(ports.cwd);
  if (output.json) output.data({ path, trusted: false, wasTrusted });
  else output.print(wasTrusted ? `${plainLine(path)} is no longer trusted.` : `${plainLine(path)} was not trusted.`);
  return exits.done;
}

const toJson = ({ key, value, origin }: ShownValue): object => ({ key, value, place: origin.place });

const toRow = ({ key, value, origin }: ShownValue): Row => ({
  cells: [key, plainLine(origin.place), plainLine(writeToml(value))],
});
