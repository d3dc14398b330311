import { formatDuration } from '../../../domain/text/duration.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { StatusView, SubtaskView } from '../../../domain/views/task-status.ts';
import { clip } from '../../../domain/text/text.ts';
import type { LiveActivity } from '../../live/live-activity.ts';
import { paintLine, type Paint, type Piece } from '../text/paint.ts';
import { answerCommand } from './render-decision.ts';
import {
  describeNow,
  describeSubtask,
  isUnchecked,
  lookOfSubtask,
  lookOfTask,
  type RowContext,
} from './subtask-row.ts';
import { displayWidth, fit, plainLine } from '../text/terminal-text.ts';
import { choosePressing } from './row-priority.ts';
import { renderQuestion } from './render-question.ts';
import { shownDecision, type QuestionPanel } from '../ask/question-panel.ts';
import { treeOrder, type Placed } from './tree-order.ts';

export interface TreeInput {
  status: StatusView;
  activity: readonly LiveActivity[];
  /** Tiers that the plan gave. */
  tiers: ReadonlyMap<string, number>;
  /** The last events as sentences, oldest first. */
  recent: readonly string[];
  /** Lines that have to be seen, whatever else there is room for. */
  notice: readonly string[];
  /** Why the view stands still. */
  trouble: string | undefined;
  link: string | null;
  /** The questions that are asked here; without it they are named with the command that answers them. */
  panel: QuestionPanel | undefined;
  now: number;
  width: number;
  /** Lines that may be used. */
  height: number;
  paint: Paint;
}

/** The plan as people watch it: never more lines than the terminal has, and none longer. */
export function renderTree(input: TreeInput): string[] {
  const head = headLines(input);
  const placed = treeOrder(input.status.subtasks);
  const room = Math.max(0, input.height - head.length);
  const beside = rowsBeside(input, { room, rows: placed.length });
  const questions = questionPart(input, { room, rows: placed.length, beside });
  const foot = footLines(input, room - questions.length);
  const rows = Math.max(Math.min(clientLimits.cli.treeRows, beside), room - questions.length - foot.length);
  const { lines: body, recent } = rows === 0 ? { lines: [], recent: [] } : bodyLines(input, placed, rows);
  const lines = [...head, ...body, ...questions, ...recent, ...foot];
  return lines.slice(0, Math.max(1, input.height)).map((pieces) => paintLine(pieces, input.width, input.paint));
}

/** The screen before the task has answered: that it is there, its last events, and why it does not answer. */
export function renderOutset(taskId: string, input: Omit<TreeInput, 'status'>): string[] {
  const foot = footLines(input, input.height);
  const recent = recentLines(input.recent);
  const lines: Piece[][] = [
    [
      ['cyan', '◌ '],
      ['bold', `Task ${taskId}`],
    ],
    ...recent,
    ...foot,
  ];
  return lines.slice(0, Math.max(1, input.height)).map((pieces) => paintLine(pieces, input.width, input.paint));
}

function footLines({ trouble, link, width }: Omit<TreeInput, 'status'>, room: number): Piece[][] {
  return [
    ...(trouble === undefined ? [] : [[['yellow', `… ${trouble}`] as const]]),
    // Half an address leads nowhere, and rows of the plan are worth more.
    ...(link === null || displayWidth(link) > width || room <= clientLimits.cli.rowsBesideQuestion
      ? []
      : [[['dim', link] as const]]),
  ];
}

/** Rows that an open question leaves to the plan, so that one sees it going on: few where there are few, since a key answers what is asked. */
function rowsBeside({ panel }: TreeInput, { room, rows }: { room: number; rows: number }): number {
  if (panel === undefined || shownDecision(panel) === undefined) return Infinity;
  return Math.min(rows, clientLimits.cli.rowsBesideQuestion, Math.floor(room / 3));
}

/** A question that can be answered here comes with its choices. */
function questionPart(
  input: TreeInput,
  { room, rows, beside }: { room: number; rows: number; beside: number },
): Piece[][] {
  const { panel, status, width, now } = input;
  const notice = input.notice.map((line): Piece[] => [['yellow', line]]);
  const paused = pausedLines(status);
  if (panel === undefined) return [...notice, ...questionLines(status), ...paused];
  const left = room - paused.length - notice.length;
  const height = Math.max(1, left - Math.min(beside, rows, clientLimits.cli.rowsBesideQuestion));
  const spare = left - rows - 1;
  return [...notice, ...renderQuestion(panel, { width, height, spare, now }), ...paused];
}

function headLines({ status, activity, now, width }: TreeInput): Piece[][] {
  const [symbol, style] = lookOfTask(status);
  const end = status.endedAt === null ? now : Date.parse(status.endedAt);
  const took = formatDuration(Math.max(0, end - Date.parse(status.startedAt)));
  const state = `  ${status.state} · ${took}`;
  const goal = plainLine(clip(status.goal, clientLimits.cli.rowText));
  return [
    // A goal is known, and may be long; what has become of it is what one looks for.
    [
      [style, `${symbol} `],
      ['bold', fit(goal, Math.max(clientLimits.cli.leastGoal, width - 2 - displayWidth(state)))],
      ['dim', state],
    ],
    [`  ${describeNow(status, now)}`],
    ...plannerLines(activity),
  ];
}

/** The line of the model that plans, which has no row in the tree. */
const plannerLines = (activity: readonly LiveActivity[]): Piece[][] =>
  activity
    .filter(({ subtask, line }) => subtask === null && line !== '')
    .map(({ line }) => [['dim', `  │ ${plainLine(clip(line, clientLimits.cli.rowText))}`]]);

function questionLines({ id, decisions }: StatusView): Piece[][] {
  const shown = decisions.slice(0, clientLimits.cli.openQuestions).map((decision): Piece[] => [
    ['yellow', `? ${decision.id}`],
    ['dim', `  ${answerCommand(id, decision)}`],
  ]);
  const more = decisions.length - shown.length;
  if (more > 0) shown.push([['yellow', `? and ${more} more: heddle inbox`]]);
  return shown;
}

function pausedLines({ id, state }: StatusView): Piece[][] {
  if (state !== 'paused') return [];
  return [
    [
      ['yellow', '⏸'],
      ['dim', ` heddle resume ${id}`],
    ],
  ];
}

/** The plan, and what happened last where there is room for both. */
function bodyLines(input: TreeInput, placed: readonly Placed[], room: number): { lines: Piece[][]; recent: Piece[][] } {
  const allRecent = recentLines(input.recent);
  if (placed.length <= room) {
    const lines = withOutput(placed, input, room);
    return { lines, recent: lines.length === room ? [] : allRecent.slice(-(room - lines.length)) };
  }
  const recent = room < clientLimits.cli.roomForRecent ? [] : allRecent;
  return { lines: pressingLines(placed, input, room - recent.length), recent };
}

const recentLines = (recent: readonly string[]): Piece[][] =>
  recent.slice(-clientLimits.cli.recentEvents).map((text): Piece[] => [['dim', plainLine(text)]]);

function subtaskLine({ subtask, depth }: Placed, context: RowContext): Piece[] {
  const [symbol, style] = lookOfSubtask(subtask);
  const detail = describeSubtask(subtask, context);
  return [
    `  ${'  '.repeat(Math.min(depth, clientLimits.cli.treeDepth))}`,
    [style, symbol],
    ` ${subtask.id}`,
    ['dim', detail === '' ? '' : `  ${detail}`],
  ];
}

/** The output of running attempts goes below them where there is room for it. */
function withOutput(placed: readonly Placed[], input: TreeInput, room: number): Piece[][] {
  let spare = room - placed.length;
  return placed.flatMap((place) => {
    const line = subtaskLine(place, input);
    const output = findOutput(place.subtask, input.activity);
    if (output === '' || spare <= 0) return [line];
    spare -= 1;
    const indent = '  '.repeat(Math.min(place.depth, clientLimits.cli.treeDepth) + 2);
    return [line, [['dim', `${indent}│ ${clip(output, clientLimits.cli.rowText)}`]]];
  });
}

const findOutput = ({ id, state }: SubtaskView, activity: readonly LiveActivity[]): string =>
  state === 'running' ? plainLine(activity.find(({ subtask }) => subtask === id)?.line ?? '') : '';

/** The rows that a person looks for, when not everything fits, with some for what they print; the rest is counted. */
function pressingLines(placed: readonly Placed[], input: TreeInput, room: number): Piece[][] {
  const subtasks = placed.map(({ subtask }) => subtask);
  const saying = subtasks.filter((subtask) => findOutput(subtask, input.activity) !== '').length;
  const shown = choosePressing(subtasks, room - 1 - Math.min(saying, Math.floor(room / 4)));
  const rows = [...shown].map((subtask): Placed => ({ subtask, depth: 0 }));
  const counts = new Map<string, number>();
  for (const subtask of subtasks) {
    const state = isUnchecked(subtask) ? 'unchecked' : subtask.state;
    if (!shown.has(subtask)) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const rest = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
  return [...withOutput(rows, input, room - 1), [['dim', `  … ${shown.size === 0 ? '' : 'and '}${rest}`]]];
}
