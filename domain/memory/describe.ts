import { limits } from '../limits/domain-limits.ts';
import type { ProjectState } from '../types/basic/memory.ts';
import { clip, escapeMarkdown, formatCount, utf8Length } from '../text/text.ts';

/** A project's memory for the Web UI, newest first. Every text in it came from outside. */
export function describeMemory({ project, signatures, answers, refused }: ProjectState): string {
  const { shown, shownHint } = limits.memory;
  const totals = `${formatCount(signatures.length, 'failure')} and ${formatCount(answers.length, 'standing answer')}`;
  const rows = [...signatures.slice(-shown)].reverse().map(({ signature, count, fixedAtRung, hint }) => {
    const fixed = fixedAtRung === null ? 'not fixed yet' : `fixed at rung ${fixedAtRung}`;
    const hintText = hint === '' ? '' : `, ${escapeMarkdown(clip(hint, shownHint))}`;
    return `- ${signature}: seen ${formatCount(count, 'time')}, ${fixed}${hintText}`;
  });
  const refusals =
    refused.count === 0
      ? []
      : [
          '',
          `${formatCount(refused.count, 'message')} could not be applied. The newest:`,
          ...refused.last.map((reason) => `- ${escapeMarkdown(reason)}`),
        ];
  const head = `**${escapeMarkdown(project)}** knows ${totals}`;
  return fitted([head, ...rows], refusals);
}

/** Problems are always shown; the oldest rows are dropped for them. */
function fitted(rows: readonly string[], refusals: readonly string[]): string {
  let left = limits.currentDetails - refusals.reduce((sum, line) => sum + utf8Length(line) + 1, 0);
  const fitting = rows.filter((row, index) => {
    left -= utf8Length(row) + 1;
    return index === 0 || left >= 0;
  });
  return [...fitting, ...refusals].join('\n');
}
