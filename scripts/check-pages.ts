// `npm run pages`: lines of Markdown wrap at 120, sentences stay short, and the pages that a newcomer opens first stay within their length.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLongSentences } from './long-sentences.ts';

const mostColumns = 120;

/** Most lines of the pages that are read from top to end. */
const mostLines: Readonly<Record<string, number>> = { 'README.md': 150, 'AGENTS.md': 120, 'CHANGELOG.md': 80 };

/** A program writes these pages from the code. */
const boundElsewhere = new Set(['docs/api.md', 'docs/http-api.md']);

const root = process.cwd();

/** Code as it was printed by a program, which a page shows unchanged. */
const printed = /^```text$[\s\S]*?^```$/gm;

/** A row of a table and a line that is one long word cannot be wrapped. */
const canWrap = (line: string): boolean =>
  !line.startsWith('|') && /\S\s+\S/.test(line.replace(/^\s*(?:[-*>#]+|\d+\.)\s/, ''));

function checkPage(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text
    .trimEnd()
    .replace(printed, (block) => '\n'.repeat(block.split('\n').length - 1))
    .split('\n');
  const most = mostLines[file] ?? Infinity;
  return [
    ...(lines.length > most ? [`${file} has ${lines.length} lines; at most ${most}`] : []),
    ...lines.flatMap((line, index) =>
      line.length > mostColumns && canWrap(line)
        ? [`${file}:${index + 1} has ${line.length} columns; wrap it at ${mostColumns}`]
        : [],
    ),
    ...(boundElsewhere.has(file) ? [] : findLongSentences(text)).map(
      ({ words, sentence }) => `${file} has a sentence of ${words} words: ${sentence.slice(0, 90)}`,
    ),
  ];
}

const pages = ['*.md', 'docs/**/*.md', '.github/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted();
if (pages.length === 0) throw new Error(`no pages below ${root}`);
const problems = pages.flatMap(checkPage);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
