import type { Decision } from '../../../domain/types/decision.ts';
import { sayCount } from '../../../domain/text/text.ts';
import { askable, choicesOf, shownOf, type Desk } from '../ask/question-panel.ts';
import { askedFor } from '../ask/panel-text.ts';
import { plainLine } from '../text/terminal-text.ts';
import { actionLines, problemOf } from './gated-action.ts';
import { leftFileLines } from './left-files.ts';
import { sayChoice } from './render-question.ts';

/** What is asked now, in lines that are read once from top to bottom. */
export function plainQuestion(desk: Desk): string[] {
  const decision = shownOf(desk);
  if (decision !== undefined) return desk.writing === null ? choiceLines(desk, decision) : wordLines(desk, decision);
  const count = askable(desk).length;
  return count === 0 ? [] : [`${sayCount(count, 'open question')}. Press Enter to answer.`];
}

function choiceLines(desk: Desk, decision: Decision): string[] {
  const all = askable(desk);
  const place = all.length < 2 ? '' : ` ${all.indexOf(decision) + 1} of ${all.length}`;
  const about = decision.subtask === null ? '' : `, about ${decision.subtask}`;
  const until = decision.deadline === null ? [] : [`Until ${decision.deadline}, then: ${decision.onTimeout}`];
  return [
    '',
    `Question${place}: ${decision.id}, ${decision.kind}${about}`,
    problemOf(decision),
    ...actionLines(decision).map((line) => `  ${line}`),
    ...decision.tried.map((tried) => `Tried: ${plainLine(tried)}`),
    ...leftFileLines(decision),
    ...choicesOf(decision).map((_, index) => {
      const { label, marks, consequence } = sayChoice(decision, index);
      return `${index + 1}. ${label}${marks}: ${consequence}`;
    }),
    ...until,
    'Type a number and press Enter.',
  ];
}

function wordLines({ writing }: Desk, decision: Decision): string[] {
  if (writing === null) return [];
  return [`${decision.id}, ${writing.option}: ${askedFor(decision, writing.option) ?? ''} One line, then Enter.`];
}
