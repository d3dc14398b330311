import type { Report } from '../../../domain/report/report.ts';
import type { SubtaskWork } from '../../../domain/report/work.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { TaskChanges } from '../../report/task-changes.ts';
import { formatWork } from '../../report/work-tables.ts';
import { paintLine, type Paint, type Piece } from '../text/paint.ts';
import { pad, plainLine } from '../text/terminal-text.ts';
import { lookOfSubtask } from './subtask-row.ts';
import type { Row } from './table.ts';

const { card } = clientLimits.cli;

/** Columns of a subtask's name on the card. */
const nameColumns = 20;

/** A line for each subtask with its own report, or why it did not complete; failures come first. */
export function workLines(report: Report, { width, paint }: { width: number; paint: Paint }): string[] {
  const ended = [...report.work].sort((a, b) => Number(a.state === 'completed') - Number(b.state === 'completed'));
  const { shown, rest } = cut(ended, card.work);
  const longest = Math.min(nameColumns, Math.max(0, ...shown.map(({ id }) => id.length)));
  const lines = shown.map((work): Piece[] => {
    const [symbol, style] = lookOfSubtask(work);
    return ['  ', [style, symbol], ` ${pad(work.id, longest)}  `, formatEnded(report, work)];
  });
  if (rest > 0) lines.push([['dim', `  … and ${formatCount(rest, 'more subtask')}`]]);
  return lines.map((pieces) => paintLine(pieces, width, paint));
}

function formatEnded(report: Report, work: SubtaskWork): string {
  const unchecked = work.state === 'completed' && work.verdict === 'unchecked' ? 'unchecked: ' : '';
  return `${unchecked}${plainLine(formatWork(report, work))}`;
}

/** The checks of the accepted results, and of the last attempt where none was; those that failed come first. */
export function checkRows({ work }: Report): Row[] {
  const all = work
    .flatMap(({ id, checks }) => checks.map((check) => ({ id, ...check })))
    .sort((a, b) => Number(a.passed) - Number(b.passed));
  if (all.length === 0) return [{ cells: ['  Checks', 'none: nothing checked the results'] }];
  const { shown, rest } = cut(all, card.checks);
  const texts = shown.map(({ id, name, passed, summary }) => {
    const result = passed ? 'passed' : `failed${summary === '' ? '' : `: ${plainLine(summary)}`}`;
    return `${passed ? '✓' : '✗'} ${plainLine(name)} (${id}) ${result}`;
  });
  const passed = all.slice(shown.length).filter((check) => check.passed).length;
  if (rest > 0) texts.push(`… and ${rest} more: ${passed} passed, ${rest - passed} failed`);
  return titled('Checks', texts);
}

/** The changed files with their lines, as far as snapshots of this machine tell them. */
export function fileRows({ files }: Report, changes: TaskChanges | string): Row[] {
  const isKnown = typeof changes !== 'string';
  const all = isKnown
    ? changes.files.map(({ path, state, binary, added, removed }) => {
        return `${plainLine(path)}  ${state === 'modified' ? '' : `${state} `}${binary ? 'binary' : `+${added} -${removed}`}`;
      })
    : files.map(plainLine);
  if (all.length === 0) return [{ cells: ['  Files', 'none changed'] }];
  const { shown, rest } = cut(all, card.files);
  return titled('Files', rest === 0 ? shown : [...shown, `… and ${rest} more`]);
}

const titled = (title: string, texts: readonly string[]): Row[] =>
  texts.map((text, index) => ({ cells: [index === 0 ? `  ${title}` : '', text] }));

/** The last line is left to the rest where not everything fits. */
function cut<T>(items: readonly T[], most: number): { shown: readonly T[]; rest: number } {
  if (items.length <= most) return { shown: items, rest: 0 };
  return { shown: items.slice(0, most - 1), rest: items.length - most + 1 };
}
