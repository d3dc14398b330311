import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { formatDuration } from '../../../domain/text/duration.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { createTextInspector, type TextInspector } from '../../verify/inspect/text-inspector.ts';
import { answering, failed, fitLines } from '../common/tool-result.ts';
import { pathArgument, patternArgument } from '../common/arguments.ts';
import { hiddenFolders } from '../confine/guarded-folders.ts';
import { IgnoreRules } from '../confine/ignored-by-git.ts';
import { explain, withConfined, type ConfinedPath } from '../confine/open-confined.ts';
import { withInside } from '../confine/open-folder.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { readBelow } from '../confine/read-below.ts';
import { newWalk, walkBelow } from '../confine/walk-below.ts';
import { decodeText } from '../../documents/decode-text.ts';
import type { ReadingTool, ToolOutcome, ToolContext } from '../common/tool.ts';

const schema = z.strictObject({
  pattern: patternArgument,
  path: pathArgument.exactOptional().describe('file or folder, default: the workspace'),
});

type Args = z.infer<typeof schema>;

export const searchText: ReadingTool<Args> = {
  name: 'search_text',
  description:
    'Finds lines in text files by a JavaScript regular expression. node_modules and what git ignores are skipped.',
  kind: 'reads',
  schema,
  timeout: activityLimits.tools.searchTimeout,
  run: ({ pattern, path = '.' }, context) =>
    answering(async () => {
      const inspector = createTextInspector(activityLimits.tools.patternTimeout);
      const search: Search = { inspector, regex: buildRegex(pattern), lines: [], places: 0, tooLarge: 0, notes: [] };
      try {
        await withConfined(context, { path, to: 'read', last: 'follow' }, (target) =>
          searchAt(target, search, context),
        );
      } finally {
        await inspector.close();
      }
      if (search.stopped !== undefined) return failed(search.stopped);
      return show(search, pattern);
    }),
};

interface Search {
  inspector: TextInspector;
  regex: string;
  lines: string[];
  places: number;
  /** Files that were skipped. */
  tooLarge: number;
  notes: string[];
  /** Why it ended early, with nothing to show. */
  stopped?: string;
}

async function searchAt(target: ConfinedPath, search: Search, context: ToolContext): Promise<void> {
  const stats = await lstat(target.folder.at(target.name)).catch((error: unknown) => {
    throw explain(error, target.path);
  });
  if (!stats.isDirectory()) return searchFile(target, search);
  await withInside(target, async (folder) => {
    const { searchFor } = activityLimits.tools;
    const walk = newWalk(hiddenFolders(context), performance.now() + searchFor);
    const above = target.path === '.' ? '' : `${target.path}/`;
    const rules = await (isAbsolute(target.path)
      ? IgnoreRules.read(folder.path, above)
      : IgnoreRules.readDown(context.workspace, target.path));
    for await (const met of walkBelow(folder, walk, context.signal, { above, rules })) {
      if (met.entry.isFile()) await searchMet(met, search);
      if (search.stopped !== undefined || search.places >= activityLimits.tools.found) break;
    }
    if (walk.ignored && search.lines.length === 0) search.notes.push('Files that git ignores were not searched.');
    if (performance.now() > walk.until)
      search.notes.push(`Stopped after ${formatDuration(searchFor)}: search in a folder inside.`);
    if (walk.left <= 0) search.notes.push('There are more files than are looked at: search in a folder inside.');
  });
}

/** A file that is gone, or closed to us meanwhile, does not match. */
async function searchMet(target: ConfinedPath, search: Search): Promise<void> {
  try {
    await searchFile(target, search);
  } catch (error) {
    if (!(error instanceof PathProblem)) throw error;
  }
}

async function searchFile(target: ConfinedPath, search: Search): Promise<void> {
  const { searchedBytes, foundPerFile } = activityLimits.tools;
  const { bytes, size } = await readBelow(target, searchedBytes);
  if (size > bytes.length) {
    search.tooLarge += 1;
    return;
  }
  const decoded = decodeText(bytes, false);
  if (decoded.kind === 'binary') return;
  const job = { kind: 'pattern', text: decoded.text, pattern: search.regex, most: foundPerFile } as const;
  const result = await search.inspector.inspect(job);
  if (result.end === 'timeout') search.stopped = `The pattern took too long on ${target.path}: simplify it.`;
  if (result.end === 'failed') search.stopped = `The pattern could not be used: ${result.reason}.`;
  if (result.end !== 'done' || result.findings.length === 0) return;
  search.places += result.findings.length;
  const more = result.findings.length === foundPerFile ? ' (the first places)' : '';
  search.lines.push(`${target.path}${more}`, ...result.findings.map((line) => `  ${line}`));
}

function show({ lines, places, tooLarge, notes, regex }: Search, pattern: string): ToolOutcome {
  const { lines: shown, left, whole } = fitLines(lines);
  const more = [
    ...(regex === pattern ? [] : ['The pattern is no regular expression: it was searched as plain text.']),
    ...(lines.length === 0 ? ['Nothing matches.'] : []),
    ...(left > 0 || places >= activityLimits.tools.found ? ['More places match: narrow pattern or path.'] : []),
    ...(tooLarge > 0 ? [`${formatCount(tooLarge, 'file')} too large to be searched.`] : []),
    ...notes,
  ];
  return { ok: true, text: [...shown, ...more].join('\n'), ...(whole === undefined ? {} : { whole }) };
}

/** A text that is no pattern is searched as it is. */
function buildRegex(pattern: string): string {
  try {
    new RegExp(pattern);
    return pattern;
  } catch {
    return pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
}
