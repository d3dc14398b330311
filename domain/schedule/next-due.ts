import { formatList } from '../text/text.ts';
import { nextDue } from './schedule.ts';
import { listOpenItems, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';

/**
 * When something is due next by time alone: a wait before an attempt, a deadline, the end of the budget of time, or what else `also` says.
 * What is past was looked at just now: an alarm for it would ring at once, again and again.
 */
export function dueNext(state: TaskState, now: number, also: number | null): number | null {
  const times = state.control.paused === null ? [also, ...listDueTimes(state, now)] : [also];
  return times.reduce<number | null>(
    (least, time) => (time !== null && time > now && (least === null || time < least) ? time : least),
    null,
  );
}

function listDueTimes(state: TaskState, now: number): (number | null)[] {
  const {
    decisions: { open: decisions },
    budget: { limits: budget },
    startedAt,
    control: { pausedMs },
  } = state;
  const deadlines = decisions.map(({ deadline }) => (deadline === null ? null : Date.parse(deadline)));
  const isAsked = decisions.some(({ kind }) => kind === 'budget');
  const end = budget.wallClock === undefined || isAsked ? null : startedAt + pausedMs + budget.wallClock;
  const expiries = listOpenItems(state).map((id) => subtaskOf(state, id).remedy?.expiresAt ?? null);
  return [nextDue(state, now), ...expiries, state.planner.wait?.notBefore ?? null, ...deadlines, end];
}

/** The name of the timer for it. */
export function formatDue({
  queue: { delayed },
  decisions: { open: decisions },
  planner: { wait },
  remedies,
}: TaskState): string {
  if (wait !== undefined && wait.notBefore !== null) return `wait before the plan: ${wait.reason}`;
  if (delayed.length > 0) return `wait before ${formatList(delayed, 3)}`;
  if (decisions.some(({ deadline }) => deadline !== null)) return 'deadline of a question';
  return (remedies?.open.length ?? 0) > 0 ? 'end of the time for owed evidence' : 'budget of time';
}
