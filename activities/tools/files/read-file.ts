import * as z from 'zod';
import { looksLikeReference } from '../../../domain/compaction/reference.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { pickLines } from '../../../domain/text/pick-lines.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { answering, failed } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { withConfined } from '../confine/open-confined.ts';
import { readBelow } from '../confine/read-below.ts';
import { decodeText } from '../../documents/decode-text.ts';
import { findPrintable } from '../../documents/find-printable.ts';
import { isDocument, kindOf } from '../../documents/kind-of.ts';
import { describeImage } from '../images/describe-image.ts';
import { readHeader } from '../../documents/read-header.ts';
import { readDocument } from './read-document.ts';
import { showLines, type LineRange } from './show-lines.ts';
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
    'Reads lines of a text file, or of the text of a PDF, docx, pptx or xlsx file; lists a zip or tar archive. The first line of the result says which lines; it is not part of the file. An image (PNG, JPEG, GIF, WebP) is shown if you can see.',
  kind: 'reads',
  schema,
  timeout: activityLimits.documents.toolTimeout,
  run: ({ path, from = 1, lines = activityLimits.tools.lines }, context) => {
    if (looksLikeReference(path)) return readReference(path, { from, lines }, context);
    return answering(() =>
      withConfined(context, { path, to: 'read', last: 'follow' }, async (target) => {
        const { bytes, size } = await readBelow(target, activityLimits.tools.readBytes);
        const { signal } = context;
        if (isDocument(kindOf({ bytes })))
          return readDocument(target, { head: { bytes, size }, range: { from, lines }, signal });
        const cut = size > bytes.length;
        const decoded = decodeText(bytes, cut);
        if (decoded.kind === 'binary') return describeBinary(decoded.type, bytes, size);
        const more = cut ? ` (only the first ${formatBytes(bytes.length)} are read)` : '';
        return showLines(decoded.text, { from, lines, more });
      }),
    );
  },
};

function describeBinary(name: string, bytes: Buffer, size: number): ToolOutcome {
  const image = readHeader(bytes);
  if (image !== undefined) return describeImage(image, { name, bytes, size });
  const beginning = findPrintable(bytes);
  const shown = beginning === '' ? '' : ` It contains: ${beginning}`;
  return { ok: true, text: `Not text: ${name}, ${formatBytes(size)}.${shown}` };
}

/** Lines of an original: as many as of a file, from where the model says. */
async function readReference(reference: string, range: LineRange, context: ToolContext): Promise<ToolOutcome> {
  const text = await context.readOriginal(reference);
  if (text === undefined)
    return failed(
      `This conversation has no ${reference}. A reference is "ref:TURN.CALL" for the result of a call, "ref:TURN.CALL/arguments" or "ref:TURN", as shortened texts name it; a file of such a name is read as "./ref:...".`,
    );
  return showLines(allLines(text).flatMap(breakLine).join('\n'), { ...range, more: '' });
}

const allLines = (text: string): string[] => pickLines(text, { from: 1, lines: Infinity }).lines;

const longestPiece = new RegExp(`.{1,${activityLimits.tools.lineLength / 2}}`, 'gsu');

/** A line that is longer than shown lines are continues in the next one: every part of an original can be reached. */
function breakLine(line: string): string[] {
  // Not between the halves of a character.
  return line.match(longestPiece) ?? [''];
}
