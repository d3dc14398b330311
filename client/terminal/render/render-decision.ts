import type { Decision } from '../../../domain/types/decision.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { clip } from '../../../domain/text/text.ts';
import type { Paint } from '../text/paint.ts';
import { plainLine } from '../text/terminal-text.ts';
import { actionLines, editCommand, formatProblem } from './gated-action.ts';
import { leftFileLines } from './left-files.ts';

/** A question with its choices and the command that answers it. */
export function renderDecision(taskId: string, decision: Decision, paint: Paint): string[] {
  const about = [decision.kind, ...(decision.subtask === null ? [] : [decision.subtask])].join(', ');
  const widest = Math.max(...decision.options.map(({ id }) => id.length));
  return [
    `${paint('yellow', `? ${decision.id}`)} (${about})`,
    `  ${formatProblem(decision)}`,
    ...actionLines(decision).map((line) => paint('bold', `    ${line}`)),
    ...decision.tried.map((tried) => paint('dim', `  - ${plainLine(clip(tried, clientLimits.cli.rowText))}`)),
    ...printedLine(taskId, decision).map((line) => paint('dim', `  ${line}`)),
    ...leftFileLines(decision).map((line) => `  ${line}`),
    ...decision.options.map(
      (option) => `  ${paint('bold', option.id.padEnd(widest))}  ${formatOption(decision, option)}`,
    ),
    ...deadlineLines(decision),
    `  Answer: ${answerCommand(taskId, decision)}`,
    ...[editCommand(taskId, decision)].flatMap((edit) =>
      edit === undefined ? [] : [`  With other arguments: ${edit}`],
    ),
  ];
}

/** The command that shows the errors which `tried` sums up in plain words. */
const printedLine = (taskId: string, { subtask, tried }: Decision): string[] =>
  subtask === null || tried.length === 0 ? [] : [`What was printed: heddle logs ${taskId} ${subtask}`];

/** `OPTION` is left to the person: what is recommended is marked above, not chosen. */
export const answerCommand = (taskId: string, { id }: Pick<Decision, 'id'>): string =>
  `heddle decide ${taskId} ${id} OPTION`;

function formatOption({ recommendation }: Decision, option: Decision['options'][number]): string {
  const marks = [
    ...(option.id === recommendation ? ['recommended'] : []),
    ...(option.reversible ? [] : ['cannot be undone']),
  ];
  return `${plainLine(option.label)}: ${plainLine(option.consequence)}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`}`;
}

function deadlineLines({ deadline, onTimeout }: Decision): string[] {
  return deadline === null ? [] : [`  Until ${deadline}, then: ${onTimeout}`];
}
