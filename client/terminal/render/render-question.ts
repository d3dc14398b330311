import type { Decision } from '../../../domain/types/decision.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { askable, listChoices, markedOption, shownDecision, type QuestionPanel } from '../ask/question-panel.ts';
import { showEntry } from '../ask/text-entry.ts';
import { askedFor } from '../ask/panel-text.ts';
import type { Piece } from '../text/paint.ts';
import { displayWidth, fit, plainLine, wrap } from '../text/terminal-text.ts';
import { actionLines, formatProblem } from './gated-action.ts';
import { leftFileLines } from './left-files.ts';

export interface QuestionSpace {
  width: number;
  /** Lines that may be used. */
  height: number;
  /** Lines beyond which the question takes room from the plan. */
  spare: number;
  now: number;
}

/** How many lines each part may take: a choice that is marked, and the others. */
interface Measure {
  problem: number;
  action: number;
  tried: number;
  marked: number;
  choice: number;
  /** True where the line is worth rows of the plan. */
  needed: boolean;
}

/**
 * From everything to the least that a person needs: the first that fits is shown. Choices are shortened before the problem and the reason of
 * the last failure: nobody can choose well without these.
 */
const measures: readonly Measure[] = [
  { problem: 4, action: 20, tried: 4, marked: 4, choice: 4, needed: false },
  { problem: 4, action: 16, tried: 2, marked: 4, choice: 4, needed: false },
  { problem: 3, action: 12, tried: 1, marked: 4, choice: 4, needed: true },
  { problem: 3, action: 8, tried: 1, marked: 4, choice: 3, needed: true },
  { problem: 3, action: 8, tried: 1, marked: 4, choice: 2, needed: true },
  { problem: 3, action: 6, tried: 1, marked: 4, choice: 1, needed: true },
  { problem: 2, action: 4, tried: 1, marked: 2, choice: 1, needed: true },
  { problem: 2, action: 3, tried: 1, marked: 1, choice: 1, needed: true },
  { problem: 1, action: 2, tried: 1, marked: 1, choice: 1, needed: true },
  { problem: 1, action: 1, tried: 0, marked: 1, choice: 1, needed: true },
];

const tight: Measure = { problem: 1, action: 1, tried: 0, marked: 1, choice: 1, needed: true };

/** The question in the panel with everything that each answer would do, and the keys that give it. */
export function renderQuestion(panel: QuestionPanel, space: QuestionSpace): Piece[][] {
  const decision = shownDecision(panel);
  const sending = [...panel.sent].map(([id, option]): Piece[] => [
    ['dim', `  sending the answer ${option} to ${id} …`],
  ]);
  const room = Math.max(0, space.height - sending.length);
  const spare = Math.min(room, space.spare - sending.length);
  const lines =
    decision === undefined ? asideLines(panel) : questionLines(panel, decision, { ...space, height: room, spare });
  return [...lines, ...sending].slice(0, Math.max(0, space.height));
}

function asideLines(panel: QuestionPanel): Piece[][] {
  const count = askable(panel).length;
  if (count === 0) return [];
  return [
    [
      ['yellow', `? ${formatCount(count, 'open question')}`],
      ['dim', '  Tab: answer'],
    ],
  ];
}

function questionLines(panel: QuestionPanel, decision: Decision, space: QuestionSpace): Piece[][] {
  for (const measure of measures) {
    const lines = layOut(panel, decision, space, measure);
    if (lines.length <= (measure.needed ? space.height : space.spare)) return lines;
  }
  return squeeze(panel, decision, space);
}

function layOut(panel: QuestionPanel, decision: Decision, space: QuestionSpace, measure: Measure): Piece[][] {
  const { width } = space;
  const tried = decision.tried.slice(-measure.tried || decision.tried.length);
  return [
    titleLine(panel, decision, space),
    ...wrap(formatProblem(decision), width - 2, measure.problem).map((line): Piece[] => [`  ${line}`]),
    ...shownAction(decision, width - 4, measure.action).map((line): Piece[] => [['bold', `    ${line}`]]),
    ...(measure.tried === 0 ? [] : tried.map((line): Piece[] => [['dim', `  - ${plainLine(line)}`]])),
    ...(measure.tried === 0 ? [] : leftFileLines(decision))
      .flatMap((line) => wrap(line, width - 2, measure.tried))
      .map((line): Piece[] => [`  ${line}`]),
    ...(panel.writing === null
      ? choiceLines(panel, decision, width, measure)
      : wordLines(panel, decision, width, measure)),
    keyLine(panel, width),
  ];
}

/** As much of the action as there is room for: where that is not all, it is said, since what is below may be the worst of it. */
function shownAction(decision: Decision, width: number, most: number): string[] {
  const lines = actionLines(decision).flatMap((line) => (line === '' ? [''] : wrap(line, width, Infinity)));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fit(`… ${lines.length - most + 1} more lines: heddle inbox`, width)];
}

function titleLine(panel: QuestionPanel, decision: Decision, { now }: QuestionSpace): Piece[] {
  const all = askable(panel);
  const about = decision.subtask === null ? decision.kind : `${decision.kind}, ${decision.subtask}`;
  const place = all.length < 2 ? '' : `question ${all.indexOf(decision) + 1} of ${all.length}: `;
  return [['yellow', `? ${place}${decision.id}`], ` (${about})`, ['dim', formatDeadline(decision, now)]];
}

function formatDeadline({ deadline, onTimeout }: Decision, now: number): string {
  if (deadline === null) return '';
  return `  in ${formatDuration(Math.max(0, Date.parse(deadline) - now))}: ${onTimeout}`;
}

function choiceLines(panel: QuestionPanel, decision: Decision, width: number, measure: Measure): Piece[][] {
  const mark = markedOption(panel, decision);
  return listChoices(decision).flatMap((_, index) => {
    const marked = index === mark;
    return choiceLine(decision, index, { marked, width, most: marked ? measure.marked : measure.choice });
  });
}

const later = {
  label: 'Decide later',
  consequence: 'The question stays open; everything else keeps running.',
  marks: '',
};

function choiceLine(
  decision: Decision,
  index: number,
  { marked, width, most }: { marked: boolean; width: number; most: number },
): Piece[][] {
  const { label, consequence, marks } = formatChoice(decision, index);
  const head = `${marked ? '❯' : ' '} ${index + 1} `;
  const indent = ' '.repeat(displayWidth(head));
  const [first = '', ...rest] = wrap(`${label}${marks}: ${consequence}`, width - indent.length, most);
  // The label alone is bright: the eye finds the choices, then reads what they do.
  const bright = first.slice(0, label.length);
  return [
    [[marked ? 'cyan' : 'dim', head], [marked ? 'cyan' : 'bold', bright], first.slice(bright.length)],
    ...rest.map((line): Piece[] => [`${indent}${line}`]),
  ];
}

export function formatChoice(decision: Decision, index: number): typeof later {
  const option = decision.options[index];
  if (option === undefined) return later;
  const marks = [
    ...(option.id === decision.recommendation ? ['recommended'] : []),
    ...(option.reversible ? [] : ['cannot be undone']),
  ];
  return {
    label: plainLine(option.label),
    consequence: plainLine(option.consequence),
    marks: marks.length === 0 ? '' : ` [${marks.join(', ')}]`,
  };
}

/** The chosen option, what is asked for, and the line that is being written. */
function wordLines({ writing }: QuestionPanel, decision: Decision, width: number, { marked }: Measure): Piece[][] {
  if (writing === null) return [];
  const index = decision.options.findIndex(({ id }) => id === writing.option);
  const prompt = wrap(askedFor(decision, writing.option) ?? '', width - 2, marked).map((line): Piece[] => [
    ['bold', `  ${line}`],
  ]);
  return [
    ...choiceLine(decision, index, { marked: true, width, most: marked }),
    ...prompt,
    [['cyan', '> '], showEntry(writing.entry, width - 2)],
    ...(writing.problem === undefined ? [] : [[['red', `  ${writing.problem}`] as const]]),
  ];
}

/** The longest that fits: half a hint helps nobody. */
function keyLine(panel: QuestionPanel, width: number): Piece[] {
  const walk = askable(panel).length < 2 ? '' : 'Tab: next  ';
  const hints =
    panel.writing === null
      ? [`↑↓ or 1-9: choose  Enter: answer  ${walk}Esc: later`, `↑↓ Enter  ${walk}Esc: later`, '↑↓ Enter Esc']
      : ['Enter: send  Esc: back', 'Enter Esc'];
  return [['dim', `  ${hints.find((hint) => displayWidth(hint) <= width - 2) ?? ''}`]];
}

/** Too low for all choices on a line each: those around the marked one, and what is asked while there is room for it. */
function squeeze(panel: QuestionPanel, decision: Decision, space: QuestionSpace): Piece[][] {
  const { width, height } = space;
  const title = titleLine(panel, decision, space);
  const action = shownAction(decision, width - 4, 1).map((line): Piece[] => [['bold', `    ${line}`]]);
  if (panel.writing !== null) return [title, ...wordLines(panel, decision, width, tight)].slice(-Math.max(1, height));
  const choices = choiceLines(panel, decision, width, tight);
  const lines = [title, ...action, [`  ${formatProblem(decision)}`]].slice(0, Math.max(0, height - 1));
  const room = Math.max(1, height - lines.length);
  const first = Math.max(0, Math.min(markedOption(panel, decision) - Math.floor(room / 2), choices.length - room));
  return [...lines, ...choices.slice(first, first + room)];
}
