import { pickLines } from '../../../domain/text/pick-lines.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { failed, fitLines } from '../common/tool-result.ts';
import type { ToolOutcome } from '../common/tool.ts';

/** The lines that a model asks for: the first one, from 1, and how many. */
export interface LineRange {
  from: number;
  lines: number;
}

/** Lines of a text as a result; `more` is what is said behind their numbers. */
export function showLines(text: string, { more, ...range }: LineRange & { more: string }): ToolOutcome {
  const { from } = range;
  const { lines: picked, total } = pickLines(text, range);
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
