import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';

const target = join(import.meta.dirname, '..', 'docs', 'bench.md');

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** NaN: the system does not say. */
export const number = (value: number, digits = 1): string => (Number.isFinite(value) ? value.toFixed(digits) : 'n/a');

/** Each section takes the place of the one with the same heading. */
export async function writeSections(sections: readonly string[]): Promise<void> {
  const text = sections.reduce(replaceSection, readFileSync(target, 'utf8'));
  writeFileSync(target, (await format(target, text, { printWidth: 120, proseWrap: 'always' })).code);
}

function replaceSection(report: string, section: string): string {
  const [heading = ''] = section.split('\n');
  const parts = report.split(/^(?=## )/m);
  const place = parts.findIndex((part) => part.startsWith(`${heading}\n`));
  const text = `${section.trimEnd()}\n\n`;
  return (place === -1 ? [...parts, text] : parts.with(place, text)).join('').trimEnd() + '\n';
}
