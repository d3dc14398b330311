import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { sayDuration } from '../../../domain/text/duration.ts';
import { sayCount } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { createTextInspector, type TextInspector } from '../../verify/inspect/text-inspector.ts';
import { answering, failed, fitLines } from '../common/tool-result.ts';
import { pathArgument, patternArgument } from '../common/arguments.ts';
import { hiddenFolders } from '../confine/guarded-folders.ts';
import { IgnoreRules } from '../confine/ignored-by-git.ts';
import { explain, withConfined, type Spot } from '../confine/open-confined.ts';
import { insideOf } from '../confine/open-folder.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { readBelow } from '../confine/read-below.ts';
import { newWalk, walkBelow } from '../confine/walk-below.ts';
import { decodeText } from './decode-text.ts';
import type { ReadingTool, ToolOutcome, ToolPlace } from '../common/tool.ts';

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
  run: ({ pattern, path = '.' }, place) =>
    answering(async () => {
      const inspector = createTextInspector(activityLimits.tools.patternTimeout);
      const search: Search = { inspector, regex: regexOf(pattern), lines: [], places: 0, tooLarge: 0, notes: [] };
      try {
        await withConfined(place, { path, to: 'read', last: 'follow' }, (spot) => searchAt(spot, search, place));
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

async function searchAt(spot: Spot, search: Search, place: ToolPlace): Promise<void> {
  const stats = await lstat(spot.folder.at(spot.name)).catch((error: unknown) => {
    throw explain(error, spot.path);
  });
  if (!stats.isDirectory()) return searchFile(spot, search);
  await insideOf(spot, async (folder) => {
    const { searchFor } = activityLimits.tools;
    const walk = newWalk(hiddenFolders(place), performance.now() + searchFor);
    const above = spot.path === '.' ? '' : `${spot.path}/`;
    const rules = await (isAbsolute(spot.path)
      ? IgnoreRules.read(folder.path, above)
      : IgnoreRules.readDown(place.workspace, spot.path));
    for await (const met of walkBelow(folder, walk, place.signal, { above, rules })) {
      if (met.entry.isFile()) await searchMet(met, search);
      if (search.stopped !== undefined || search.places >= activityLimits.tools.found) break;
    }
    if (walk.ignored && search.lines.length === 0) search.notes.push('Files that git ignores were not searched.');
    if (performance.now() > walk.until)
      search.notes.push(`Stopped after ${sayDuration(searchFor)}: search in a folder inside.`);
    if (walk.left <= 0) search.notes.push('There are more files than are looked at: search in a folder inside.');
  });
}

/** What is gone or closed to us meanwhile is none of the files that were asked for. */
async function searchMet(spot: Spot, search: Search): Promise<void> {
  try {
    await searchFile(spot, search);
  } catch (error) {
    if (!(error instanceof PathProblem)) throw error;
  }
}

async function searchFile(spot: Spot, search: Search): Promise<void> {
  const { searchedBytes, foundPerFile } = activityLimits.tools;
  const { bytes, size } = await readBelow(spot, searchedBytes);
  if (size > bytes.length) {
    search.tooLarge += 1;
    return;
  }
  const decoded = decodeText(bytes, false);
  if (decoded.kind === 'binary') return;
  const job = { kind: 'pattern', text: decoded.text, pattern: search.regex, most: foundPerFile } as const;
  const result = await search.inspector.inspect(job);
  if (result.end === 'timeout') search.stopped = `The pattern took too long on ${spot.path}: simplify it.`;
  if (result.end === 'failed') search.stopped = `The pattern could not be used: ${result.reason}.`;
  if (result.end !== 'done' || result.found.length === 0) return;
  search.places += result.found.length;
  const more = result.found.length === foundPerFile ? ' (the first places)' : '';
  search.lines.push(`${spot.path}${more}`, ...result.found.map((line) => `  ${line}`));
}

function show({ lines, places, tooLarge, notes, regex }: Search, pattern: string): ToolOutcome {
  const { lines: shown, left, whole } = fitLines(lines);
  const more = [
    ...(regex === pattern ? [] : ['The pattern is no regular expression: it was searched as plain text.']),
    ...(lines.length === 0 ? ['Nothing matches.'] : []),
    ...(left > 0 || places >= activityLimits.tools.found ? ['More places match: narrow pattern or path.'] : []),
    ...(tooLarge > 0 ? [`${sayCount(tooLarge, 'file')} too large to be searched.`] : []),
    ...notes,
  ];
  return { ok: true, text: [...shown, ...more].join('\n'), ...(whole === undefined ? {} : { whole }) };
}

/** A text that is no pattern is searched as it is. */
function regexOf(pattern: string): string {
  try {
    new RegExp(pattern);
    return pattern;
  } catch {
    return pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
}
