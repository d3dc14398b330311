import * as z from 'zod';
import { formatDuration } from '../../../domain/text/duration.ts';
import { readGlob } from '../../../domain/text/glob.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { answering, failed, fitLines } from '../common/tool-result.ts';
import { patternArgument } from '../common/arguments.ts';
import { hiddenFolders } from '../confine/guarded-folders.ts';
import { withFolder } from '../confine/open-folder.ts';
import { newWalk, walkBelow, type Walk } from '../confine/walk-below.ts';
import type { ReadingTool, ToolOutcome } from '../common/tool.ts';

const schema = z.strictObject({ pattern: patternArgument });

type Args = z.infer<typeof schema>;

export const findFiles: ReadingTool<Args> = {
  name: 'find_files',
  description:
    'Finds files by a glob such as src/**/*.ts; without a slash it matches names in any folder. .git and node_modules are skipped.',
  kind: 'reads',
  schema,
  timeout: activityLimits.tools.searchTimeout,
  run: ({ pattern }, context) =>
    answering(async () => {
      const { base, rest } = splitPattern(pattern);
      const matches = readGlob(rest);
      if (matches === undefined) return failed('The braces of the pattern stand for too many alternatives.');
      return withFolder(context, base, async (folder, path) => {
        const walk = newWalk(hiddenFolders(context), performance.now() + activityLimits.tools.searchFor);
        const above = path === '.' ? '' : `${path}/`;
        const paths: string[] = [];
        for await (const met of walkBelow(folder, walk, context.signal)) {
          if (met.entry.isDirectory() || !matches(met.path)) continue;
          paths.push(above + met.path);
          if (paths.length === activityLimits.tools.found) break;
        }
        return show(paths, walk);
      });
    }),
};

/** The folders before the first name with a wildcard: only they need be looked through. */
function splitPattern(pattern: string): { base: string; rest: string } {
  const parts = pattern.replace(/\/+$/, '/**').split('/');
  if (parts.length === 1) return { base: '.', rest: `**/${pattern}` };
  const wild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
  const fixed = parts.slice(0, wild === -1 ? -1 : wild);
  return { base: fixed.join('/') || (pattern.startsWith('/') ? '/' : '.'), rest: parts.slice(fixed.length).join('/') };
}

function show(paths: readonly string[], { left: unseen, until }: Walk): ToolOutcome {
  const { entries, searchFor } = activityLimits.tools;
  const unfinished = [
    ...(unseen <= 0 ? [`Only the first ${entries} entries were looked at: begin the pattern with a folder.`] : []),
    ...(performance.now() > until
      ? [`Stopped after ${formatDuration(searchFor)}: begin the pattern with a folder.`]
      : []),
  ];
  if (paths.length === 0) return { ok: true, text: ['No file matches.', ...unfinished].join('\n') };
  const { lines, left, whole } = fitLines(paths);
  const many = paths.length === activityLimits.tools.found ? 'at least ' : '';
  const more = left > 0 ? [`${many}${left} more match: narrow the pattern.`] : [];
  return {
    ok: true,
    text: [...lines, ...more, ...unfinished].join('\n'),
    ...(whole === undefined ? {} : { whole }),
  };
}
