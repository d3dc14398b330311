import * as z from 'zod';
import { looksLikeReference } from '../../../domain/compaction/reference.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { pickLines } from '../../../domain/text/pick-lines.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { answering, failed, fitLines } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { withConfined } from '../confine/open-confined.ts';
import { readBelow } from '../confine/read-below.ts';
import { decodeText } from './decode-text.ts';
import { describeImage } from '../images/describe-image.ts';
import { readHeader } from '../images/read-header.ts';
import type { ReadingTool, ToolOutcome, ToolContext } from '../common/tool.ts';

const schema = z.strictObject({
  path: pathArgument,
  from: z.int().min(1).exactOptional().describe('first line, default 1'),
  lines: z.int().min(1).exactOptional().describe(`default ${activityLimits.tools.lines}`),
});

type Args = z.infer<typeof schema>;

export const readFile: ReadingTool<Args> = {
  name: 'read_file',
  description:
    'Reads lines of a text file. The first line of the result says which ones; it is not part of the file. An image (PNG, JPEG, GIF, WebP) is shown if you can see.',
  kind: 'reads',
  schema,
  timeout: activityLimits.tools.timeout,
  run: ({ path, from = 1, lines = activityLimits.tools.lines }, context) => {
    if (looksLikeReference(path)) return readReference(path, { from, lines }, context);
    return answering(() =>
      withConfined(context, { path, to: 'read', last: 'follow' }, async (target) => {
        const { bytes, size } = await readBelow(target, activityLimits.tools.readBytes);
        const cut = size > bytes.length;
        const decoded = decodeText(bytes, cut);
        if (decoded.kind === 'binary') return describeBinary(decoded.type, bytes, size);
        return showLines(decoded.text, {
          from,
          lines,
          more: cut ? ` (only the first ${formatBytes(bytes.length)} are read)` : '',
        });
      }),
    );
  },
};

function describeBinary(name: string, bytes: Buffer, size: number): ToolOutcome {
  const image = readHeader(bytes);
  if (image !== undefined) return describeImage(image, { name, bytes, size });
  return { ok: true, text: `Not text: ${name}, ${formatBytes(size)}.` };
}

/** Lines of an original: as many as of a file, from where the model says. */
async function readReference(
  reference: string,
  which: { from: number; lines: number },
  context: ToolContext,
): Promise<ToolOutcome> {
  const text = await context.readOriginal(reference);
  if (text === undefined)
    return failed(
      `This conversation has no ${reference}. A reference is "ref:TURN.CALL" for the result of a call, "ref:TURN.CALL/arguments" or "ref:TURN", as shortened texts name it; a file of such a name is read as "./ref:...".`,
    );
  return showLines(allLines(text).flatMap(breakLine).join('\n'), { ...which, more: '' });
}

const allLines = (text: string): string[] => pickLines(text, { from: 1, lines: Infinity }).lines;

const longestPiece = new RegExp(`.{1,${activityLimits.tools.lineLength / 2}}`, 'gsu');

/** A line that is longer than shown lines are continues in the next one: every part of an original can be reached. */
function breakLine(line: string): string[] {
  // Not between the halves of a character.
  return line.match(longestPiece) ?? [''];
}

function showLines(text: string, { more, ...which }: { from: number; lines: number; more: string }): ToolOutcome {
  const { from } = which;
  const { lines: picked, total } = pickLines(text, which);
  if (total === 0) return { ok: true, text: 'The file is empty.' };
  if (from > total) return failed(`The file has ${formatCount(total, 'line')}${more}: there is no line ${from}.`);
  const { lines: shown, whole } = fitLines(picked);
  const last = from - 1 + shown.length;
  const next = last < total ? `; read on with from: ${last + 1}` : '';
  return {
    ok: true,
    text: `lines ${from}-${last} of ${total}${more}${next}\n${shown.join('\n')}`,
    ...(whole === undefined ? {} : { whole }),
  };
}
