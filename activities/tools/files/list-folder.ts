import type { Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import * as z from 'zod';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';
import { answering, fitLines } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import type { HeldFolder } from '../confine/held-folder.ts';
import { withFolder } from '../confine/open-folder.ts';
import type { ReadingTool, ToolOutcome } from '../common/tool.ts';

const schema = z.strictObject({ path: pathArgument.exactOptional().describe('default: the workspace') });

type Args = z.infer<typeof schema>;

export const listFolder: ReadingTool<Args> = {
  name: 'list_folder',
  description: 'Lists a folder: folders end with /, files show their size, links their target.',
  kind: 'reads',
  schema,
  timeout: activityLimits.tools.timeout,
  run: ({ path = '.' }, context) =>
    answering(() => withFolder(context, path, (folder) => list(folder, context.signal))),
};

async function list(folder: HeldFolder, signal: AbortSignal): Promise<ToolOutcome> {
  const entries: Dirent[] = [];
  let more = false;
  for await (const entry of await opendir(folder.path)) {
    more = entries.length === activityLimits.tools.listed;
    if (more) break;
    entries.push(entry);
  }
  if (entries.length === 0) return { ok: true, text: 'The folder is empty.' };
  const lines: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted();
    lines.push(await describe(folder, entry));
  }
  const { lines: shown, left, whole } = fitLines(lines);
  const rest = more ? 'More entries follow' : `${left} more entries follow`;
  const note = more || left > 0 ? [`${rest}: list a folder inside, or use find_files.`] : [];
  return { ok: true, text: [...shown, ...note].join('\n'), ...(whole === undefined ? {} : { whole }) };
}

async function describe(folder: HeldFolder, entry: Dirent): Promise<string> {
  const path = folder.at(entry.name);
  try {
    if (entry.isDirectory()) return `${entry.name}/`;
    if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(path)}`;
    return entry.isFile()
      ? `${entry.name} ${formatBytes((await lstat(path)).size)}`
      : `${entry.name} (not a regular file)`;
  } catch (error) {
    // Gone or replaced since it was listed, or a name that is not UTF-8.
    if (systemCode(error) === undefined) throw error;
    return entry.name;
  }
}
