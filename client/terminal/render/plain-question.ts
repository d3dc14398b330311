import type { Decision } from '../../../domain/types/decision.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { askable, listChoices, shownDecision, type QuestionPanel } from '../ask/question-panel.ts';
import { askedFor } from '../ask/panel-text.ts';
import { plainLine } from '../text/terminal-text.ts';
import { actionLines, formatProblem } from './gated-action.ts';
import { leftFileLines } from './left-files.ts';
import { formatChoice } from './render-question.ts';

/** The question that is asked now, in lines that are read once from top to bottom. */
export function plainQuestion(panel: QuestionPanel): string[] {
  const decision = shownDecision(panel);
  if (decision !== undefined) return panel.writing === null ? choiceLines(panel, decision) : wordLines(panel, decision);
  const count = askable(panel).length;
  return count === 0 ? [] : [`${formatCount(count, 'open question')}. Press Enter to answer.`];
}

function choiceLines(panel: QuestionPanel, decision: Decision): string[] {
  const all = askable(panel);
  const place = all.length < 2 ? '' : ` ${all.indexOf(decision) + 1} of ${all.length}`;
  const about = decision.subtask === null ? '' : `, about ${decision.subtask}`;
  const until = decision.deadline === null ? [] : [`Until ${decision.deadline}, then: ${decision.onTimeout}`];
  return [
    '',
    `Question${place}: ${decision.id}, ${decision.kind}${about}`,
    formatProblem(decision),
    ...actionLines(decision).map((line) => `  ${line}`),
    ...decision.tried.map((tried) => `Tried: ${plainLine(tried)}`),
    ...leftFileLines(decision),
    ...listChoices(decision).map((_, index) => {
      const { label, marks, consequence } = formatChoice(decision, index);
      return `${index + 1}. ${label}${marks}: ${consequence}`;
    }),
    ...until,
    'Type a number and press Enter.',
  ];
}

function wordLines({ writing }: QuestionPanel, decision: Decision): string[] {
  if (writing === null) return [];
  return [`${decision.id}, ${writing.option}: ${askedFor(decision, writing.option) ?? ''} One line, then Enter.`];
}
