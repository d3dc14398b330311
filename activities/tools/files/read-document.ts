import { formatBytes } from '../../../domain/text/bytes.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { extract } from '../../documents/extract.ts';
import type { Extraction } from '../../documents/common/extraction.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { failed } from '../common/tool-result.ts';
import type { ToolOutcome } from '../common/tool.ts';
import type { ConfinedPath } from '../confine/open-confined.ts';
import { formatPath } from '../confine/open-confined.ts';
import { readBelow, type FileHead } from '../confine/read-below.ts';
import { showLines, type LineRange } from './show-lines.ts';

/** Shows lines of the text of a document, or of the list of an archive. */
export async function readDocument(
  target: ConfinedPath,
  { head, range, signal }: { head: Pick<FileHead, 'bytes' | 'size'>; range: LineRange; signal: AbortSignal },
): Promise<ToolOutcome> {
  const { bytes: most } = activityLimits.documents;
  const { size } = head;
  if (size > most)
    return failed(
      `${formatPath(target.path)} has ${formatBytes(size)}; at most ${formatBytes(most)} of a document are read.`,
    );
  const { bytes } = head.bytes.length < size ? await readBelow(target, most) : head;
  const extracted = await extract({ source: bytes, name: target.path }, signal);
  if (extracted.end === 'failed') return failed(`${formatPath(target.path)} cannot be read: ${extracted.reason}.`);
  const { text, label } = extracted;
  const about = describe(extracted);
  if (text === '') return { ok: true, text: `${label}${about}: there is no text in it.` };
  return showLines(text, { ...range, more: ` of the text (${label}${about})` });
}

/** Describes what the lines belong to, such as `, 12 pages. There is no text on its pages`. */
function describe({ count, unit, notes }: Extraction): string {
  const parts = unit === undefined || count === undefined ? '' : `, ${formatCount(count, unit).replace(/ys$/, 'ies')}`;
  return notes.length === 0 ? parts : `${parts}. ${notes.join(' ')}`;
}
