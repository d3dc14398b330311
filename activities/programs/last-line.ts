import { stripVTControlCharacters } from 'node:util';

import { limits } from '../../domain/limits/domain-limits.ts';
import { clip, oneLine } from '../../domain/text/text.ts';

/** The last line of a text that says anything, fit for a heartbeat: no colours, no control characters, one short line. */
export function lastLine(text: string): string | undefined {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  for (const line of lines.reverse()) {
    const plain = oneLine(line.replace(/\p{Cc}/gu, ' '));
    if (plain !== '') return clip(plain, limits.summary);
  }
  return undefined;
}
