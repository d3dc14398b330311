import { stat } from 'node:fs/promises';
import { glob } from 'tinyglobby';
import { completeServers, completeToolFile } from '../../domain/config/servers.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import type { Config } from '../../domain/schema/config-schema.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';

/** The servers of a config, with one for each file of the user's own tools, and what is wrong with `[tools] files`. */
export async function findServers(
  values: Pick<Config, 'mcp' | 'tools'>,
): Promise<{ servers: ToolServer[]; problems: Problem[] }> {
  const files: string[] = [];
  const problems: Problem[] = [];
  for (const entry of values.tools?.files ?? []) {
    const paths = await findFiles(entry);
    if (paths.length === 0) problems.push(noFile(entry));
    files.push(...paths);
  }
  const own = [...new Set(files)].map((path) => completeToolFile(path, values));
  return { servers: [...completeServers(values), ...own], problems };
}

async function findFiles(entry: string): Promise<string[]> {
  const isFile = await stat(entry).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isFile) return [entry];
  return (await glob(entry, { absolute: true, dot: false })).sort();
}

const noFile = (entry: string): Problem => ({
  code: 'TOOL_FILE_INVALID',
  message: `No file fits ${entry}, which should export tools`,
  where: 'tools.files',
  hint: 'Correct the path; a relative one starts at the folder of the file that names it.',
});
