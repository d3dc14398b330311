import type { SubtaskView } from '../../../domain/views/task-status.ts';

/** The rows that people look for in a plan that does not fit, in the order of the screen: the longest of those that run, the latest of those that ended. */
const kinds: readonly { states: readonly SubtaskView['state'][]; over: boolean }[] = [
  { states: ['waiting'], over: false },
  { states: ['failed'], over: true },
  { states: ['running', 'remediating'], over: false },
  { states: ['completed', 'skipped'], over: true },
];

/** The subtasks that matter most now, so many: every kind has its fair share, and what is left goes to those that come next. */
export function choosePressing(subtasks: readonly SubtaskView[], room: number): ReadonlySet<SubtaskView> {
  const groups = kinds.map(({ states, over }) => {
    const sorted = byTime(subtasks.filter(({ state }) => states.includes(state)));
    return over ? sorted.reverse() : sorted;
  });
  const shares = share(
    groups.map(({ length }) => length),
    room,
  );
  const shown = groups.flatMap((group, index) => group.slice(0, shares[index]));
  const next = subtasks.filter(({ state }) => state === 'pending').slice(0, Math.max(0, room - shown.length));
  return new Set([...shown, ...next]);
}

function byTime(subtasks: readonly SubtaskView[]): SubtaskView[] {
  const time = ({ endedAt, startedAt }: SubtaskView): number => Date.parse(endedAt ?? startedAt ?? '') || 0;
  return subtasks
    .map((subtask) => ({ subtask, at: time(subtask) }))
    .sort((a, b) => a.at - b.at)
    .map(({ subtask }) => subtask);
}

/** One row after the other to those that want more, until none is left. */
function share(demands: readonly number[], room: number): number[] {
  const given = demands.map(() => 0);
  let left = room;
  while (left > 0 && given.some((rows, index) => rows < (demands[index] ?? 0))) {
    for (const [index, most] of demands.entries()) {
      if (left === 0 || (given[index] ?? 0) >= most) continue;
      given[index] = (given[index] ?? 0) + 1;
      left -= 1;
    }
  }
  return given;
}
