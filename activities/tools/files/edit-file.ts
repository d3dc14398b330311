import * as z from 'zod';
import { editText, type Edited } from '../../../domain/text/edit/edit-text.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { formatCount, formatList } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { sha256 } from '../../system/hash-file.ts';
import { answering, cutLine, failed } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { planContent, putContent } from './change-content.ts';
import { formatPath, withConfined } from '../confine/open-confined.ts';
import { PathProblem } from '../confine/path-problem.ts';
import { readBelow, type FileHead } from '../confine/read-below.ts';
import { decodeText } from '../../documents/decode-text.ts';
import { assessFiles } from './assess-files.ts';
import { onFiles } from './settle-files.ts';
import type { MutatingTool, ToolOutcome } from '../common/tool.ts';

const schema = z.strictObject({
  path: pathArgument,
  old: z.string().min(1).describe('exact text that is there once'),
  new: z.string(),
  all: z.boolean().exactOptional().describe('replace every place'),
});

type Args = z.infer<typeof schema>;

export const editFile: MutatingTool<Args> = {
  name: 'edit_file',
  description: 'Replaces a piece of text in a file.',
  kind: 'mutates',
  schema,
  timeout: activityLimits.tools.timeout,
  plan: (args, context) =>
    answering(() =>
      planContent(args.path, context, async ({ path }) => {
        if (args.old === args.new) return failed('`old` and `new` are the same: there is nothing to change.');
        const head = await withConfined(context, { path, to: 'write', last: 'keep' }, (target) =>
          readBelow(target, activityLimits.tools.editedBytes),
        );
        const edited = editText(readEditable(head, path), { all: false, ...args });
        if (edited.kind !== 'edited') return explainMiss(edited);
        return { action: `edit ${path} at line ${edited.line}`, after: sha256(edited.text) };
      }),
    ),
  assess: (_, context, effect) => assessFiles('edit_file', context, effect),
  perform: (args, effect, context) =>
    putContent(effect, context, (was) => {
      const path = effect.files[0]?.path ?? args.path;
      if (was === undefined) throw new PathProblem('missing', `There is nothing at ${formatPath(path)}.`);
      const edited = editText(readEditable(was, path), { all: false, ...args });
      // The same text and the same edit as when it was planned.
      if (edited.kind !== 'edited') throw new PathProblem('unusable', explainMiss(edited).text);
      return { content: edited.text, summary: formatEdit(edited) };
    }),
  ...onFiles,
};

/** Text that can be written back byte for byte. */
function readEditable({ bytes, size }: FileHead, path: string): string {
  if (size > bytes.length) {
    const most = formatBytes(activityLimits.tools.editedBytes);
    throw new PathProblem('unusable', `${formatPath(path)} has ${formatBytes(size)}; files up to ${most} are edited.`);
  }
  const decoded = decodeText(bytes, false);
  if (decoded.kind === 'binary') throw new PathProblem('unusable', `${formatPath(path)} is not text: ${decoded.type}.`);
  if (!decoded.exact) throw new PathProblem('unusable', `${formatPath(path)} is not UTF-8: an edit would damage it.`);
  return decoded.text;
}

function formatEdit({ places, line, how }: Extract<Edited, { kind: 'edited' }>): string {
  const blanks = how === 'white-space' ? '; the white space differed, the file’s was kept' : '';
  return places === 1
    ? `edited at line ${line}${blanks}`
    : `${formatCount(places, 'place')} edited, the first at line ${line}`;
}

function explainMiss(edited: Exclude<Edited, { kind: 'edited' }>): ToolOutcome {
  if (edited.kind === 'ambiguous') {
    const count = `${edited.counted ? '' : 'more than '}${formatCount(edited.places, 'place')}`;
    const lines = `${edited.lines.length === 1 ? 'line' : 'lines'} ${formatList(edited.lines.map(String))}`;
    return failed(
      `\`old\` is at ${count} (${lines}): nothing was changed. Add lines around it until it fits one, or set all: true for every exact one.`,
    );
  }
  const { nearest } = edited;
  if (nearest === undefined) return failed('`old` is not in the file, and nothing like it. Read the file first.');
  const last = nearest.from + nearest.lines.length - 1;
  const shown = nearest.lines.map(cutLine).join('\n');
  return failed(`\`old\` is not in the file. The nearest is at lines ${nearest.from}-${last}:\n${shown}`);
}
