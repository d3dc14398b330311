import { formatDuration } from '../../../../domain/text/duration.ts';
import { loadFolderConfig } from '../../../config/load-folder-config.ts';
import type { ServerReport, ToolReport, ToolsReport } from '../../../ports/tools.ts';
import { trustedHere } from '../../../start/trusted-here.ts';
import { renderTable, type Row } from '../../../terminal/render/table.ts';
import { plainLine } from '../../../terminal/text/terminal-text.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';

export interface ToolsOptions {
  check?: boolean;
  config?: string[];
}

/** `heddle tools`: the tools that agents of this folder have; with `--check`, whether every server works now. */
export async function toolsCommand({ ports, output }: Context, options: ToolsOptions): Promise<number> {
  const { config } = await loadFolderConfig(ports, options.config ?? [], (files) => trustedHere(files, ports.env));
  const report = await ports.listTools(config, { check: options.check === true });
  const { tools, servers, problems } = report;
  if (output.json) output.data({ tools, servers, ...(problems.length === 0 ? {} : { problems }) });
  else printReport({ output }, report);
  const ok = problems.length === 0 && servers.every((server) => server.ok);
  return ok ? exits.done : exits.failed;
}

/** `heddle tools serve FILE`: a file of tools as an MCP server on the standard streams. */
export const serveToolsCommand = ({ ports }: Context, file: string): Promise<number> => ports.serveTools(file);

function printReport({ output }: Pick<Context, 'output'>, { tools, servers, problems }: ToolsReport): void {
  const table = (rows: Row[]): string[] => renderTable(rows, output.width, output.paint);
  const head = (...cells: string[]): Row => ({ cells, style: 'dim' });
  output.print(...table([head('TOOL', 'FROM', 'KIND', 'GATE', 'TOKENS'), ...tools.map(toolRow)]));
  if (servers.length > 0)
    output.print('', ...table([head('SERVER', 'TOOLS', 'START', 'STATE'), ...servers.map(serverRow)]));
  for (const { code, message, hint = '' } of problems)
    output.print('', plainLine(`${message}. (${code})`), plainLine(`  ${hint}`));
}

const toolRow = ({ name, from, kind, gate, tokens }: ToolReport): Row => ({
  cells: [name, plainLine(from), kind, gate, String(tokens)],
});

function serverRow({ name, ok, tools, startMs, error = '' }: ServerReport): Row {
  if (!ok) return { cells: [plainLine(name), '-', '-', plainLine(error)], style: 'red' };
  return { cells: [plainLine(name), String(tools), formatDuration(startMs), 'ok'] };
}
