import { sayDuration } from '../../../domain/text/duration.ts';
import { clientLimits } from '../../limits.ts';
import type { StatusView, SubtaskView } from '../../../domain/task/status.ts';
import { clip } from '../../../domain/text/text.ts';
import type { LiveActivity } from '../../task-handle.ts';
import { paintLine, type Paint, type Piece } from '../../text/paint.ts';
import { answerCommand } from './render-decision.ts';
import { describeSubtask, looks, taskLooks, type RowContext } from './subtask-row.ts';
import { displayWidth, plainLine } from '../../text/terminal-text.ts';
import { treeOrder, type Placed } from './tree-order.ts';

export interface TreeInput {
  status: StatusView;
  activity: readonly LiveActivity[];
  /** Tiers that the plan gave. */
  tiers: ReadonlyMap<string, number>;
  /** What happened last, oldest first. */
  recent: readonly string[];
  /** Why the view stands still. */
  trouble: string | undefined;
  link: string | null;
  now: number;
  width: number;
  /** Lines that may be used. */
  height: number;
  paint: Paint;
}

/** The plan as people watch it: never more lines than the terminal has, and none longer. */
export function renderTree(input: TreeInput): string[] {
  const head = headLines(input);
  const questions = questionLines(input.status);
  const foot: Piece[][] = [
    ...(input.trouble === undefined ? [] : [[['yellow', `… ${input.trouble}`] as const]]),
    // Half an address leads nowhere.
    ...(input.link === null || displayWidth(input.link) > input.width ? [] : [[['dim', input.link] as const]]),
  ];
  const room = Math.max(clientLimits.cli.treeRows, input.height - head.length - questions.length - foot.length);
  const body = bodyLines(input, room);
  const spare = Math.max(0, room - body.length);
  const recent = spare === 0 ? [] : input.recent.slice(-Math.min(spare, clientLimits.cli.recentEvents));
  const lines = [...head, ...body, ...questions, ...recent.map((text): Piece[] => [['dim', plainLine(text)]]), ...foot];
  return lines.slice(0, Math.max(1, input.height)).map((pieces) => paintLine(pieces, input.width, input.paint));
}

function headLines({ status, now }: TreeInput): Piece[][] {
  const [symbol, style] = taskLooks[status.state];
  const end = status.endedAt === null ? now : Date.parse(status.endedAt);
  const took = sayDuration(Math.max(0, end - Date.parse(status.startedAt)));
  return [
    [
      [style, `${symbol} `],
      ['bold', plainLine(clip(status.goal, clientLimits.cli.rowText))],
      ['dim', `  ${status.state} · ${took}`],
    ],
    [`  ${plainLine(status.summary)}`],
  ];
}

function questionLines({ id, decisions, state }: StatusView): Piece[][] {
  const shown = decisions.slice(0, clientLimits.cli.openQuestions).map((decision): Piece[] => [
    ['yellow', `? ${decision.id}`],
    ['dim', `  ${answerCommand(id, decision)}`],
  ]);
  const more = decisions.length - shown.length;
  if (more > 0) shown.push([['yellow', `? and ${more} more: heddle inbox`]]);
  if (state === 'paused')
    shown.push([
      ['yellow', '⏸'],
      ['dim', ` heddle resume ${id}`],
    ]);
  return shown;
}

function bodyLines(input: TreeInput, room: number): Piece[][] {
  const context: RowContext = input;
  const placed = treeOrder(input.status.subtasks);
  if (placed.length <= room) {
    const rows = placed.map((place) => ({ place, line: subtaskLine(place, context) }));
    return withOutput(rows, input.activity, room);
  }
  return pressingLines(placed, context, room);
}

function subtaskLine({ subtask, depth }: Placed, context: RowContext): Piece[] {
  const [symbol, style] = looks[subtask.state];
  const detail = describeSubtask(subtask, context);
  return [
    `  ${'  '.repeat(Math.min(depth, clientLimits.cli.treeDepth))}`,
    [style, symbol],
    ` ${subtask.id}`,
    ['dim', detail === '' ? '' : `  ${detail}`],
  ];
}

/** What running attempts print goes below them where there is room for it. */
function withOutput(
  rows: readonly { place: Placed; line: Piece[] }[],
  activity: readonly LiveActivity[],
  room: number,
): Piece[][] {
  let spare = room - rows.length;
  return rows.flatMap(({ place, line }) => {
    const { id, state } = place.subtask;
    const said = plainLine(activity.find(({ subtask }) => subtask === id)?.line ?? '');
    if (state !== 'running' || said === '' || spare <= 0) return [line];
    spare -= 1;
    const indent = '  '.repeat(Math.min(place.depth, clientLimits.cli.treeDepth) + 2);
    return [line, [['dim', `${indent}│ ${clip(said, clientLimits.cli.rowText)}`]]];
  });
}

/** What a person looks for first, when not everything fits. */
const pressing: readonly SubtaskView['state'][] = ['waiting', 'failed', 'running', 'remediating'];

function pressingLines(placed: readonly Placed[], context: RowContext, room: number): Piece[][] {
  const first = pressing.flatMap((state) => placed.filter(({ subtask }) => subtask.state === state));
  const shown = first.slice(0, room - 1);
  const hidden = placed.filter((place) => !shown.includes(place));
  const counts = new Map<string, number>();
  for (const { subtask } of hidden) counts.set(subtask.state, (counts.get(subtask.state) ?? 0) + 1);
  const rest = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
  return [...shown.map(({ subtask }) => subtaskLine({ subtask, depth: 0 }, context)), [['dim', `  … ${rest}`]]];
}
