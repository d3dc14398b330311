import type { EventOf } from '../types/events.ts';
import { listOpenItems, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';

/** Changes how the task as a whole stands. Called by `apply` alone. */
export function reduceControl(
  state: TaskState,
  event: EventOf<'task.steered' | 'task.paused' | 'task.resumed' | 'task.finishing' | 'task.cancelling' | 'task.ended'>,
  now: number,
): void {
  switch (event.type) {
    case 'task.steered':
      return steerTask(state, event);
    case 'task.paused':
      return pauseTask(state, event, now);
    case 'task.resumed':
      return resumeTask(state, now);
    case 'task.finishing':
      return finishTask(state, event);
    case 'task.cancelling':
      return stopTask(state, event);
    case 'task.ended':
      return endTask(state, event, now);
  }
}

function steerTask(state: TaskState, { text, subtask }: EventOf<'task.steered'>): void {
  state.control.steering.push({ text, subtask: subtask ?? null });
}

function pauseTask(state: TaskState, { reason, by }: EventOf<'task.paused'>, now: number): void {
  state.control.paused ??= { since: now, reason, by };
}

/** Time that a task stood still does not count against its waits and deadlines. */
function resumeTask(state: TaskState, now: number): void {
  if (state.control.paused === null) return;
  const { since, by } = state.control.paused;
  const stood = now - since;
  for (const id of state.queue.delayed) {
    const { phase } = subtaskOf(state, id);
    if ((phase.name === 'delayed' || phase.name === 'suspended') && phase.notBefore !== null) phase.notBefore += stood;
  }
  for (const id of listOpenItems(state)) {
    const { remedy } = subtaskOf(state, id);
    if (remedy !== undefined && remedy.expiresAt !== null) remedy.expiresAt += stood;
  }
  const { wait } = state.planner;
  if (wait !== undefined && wait.notBefore !== null) wait.notBefore += stood;
  // New objects: the event that opened a decision keeps what was true then.
  state.decisions.open = state.decisions.open.map((decision) => {
    if (decision.deadline === null) return decision;
    const openedLater = Math.max(0, Date.parse(decision.openedAt) - since);
    return { ...decision, deadline: new Date(Date.parse(decision.deadline) + stood - openedLater).toISOString() };
  });
  if (by === 'escalations') state.decisions.escalations = 0;
  state.control.pausedMs += stood;
  state.control.paused = null;
}

function finishTask(state: TaskState, { by }: EventOf<'task.finishing'>): void {
  leavePlanner(state);
  state.control.finishing = true;
  if (by !== undefined) state.control.finishedBy = by;
}

function stopTask(state: TaskState, { reason, code }: EventOf<'task.cancelling'>): void {
  if (state.control.cancelling !== null) return;
  state.control.cancelling = reason;
  leavePlanner(state);
  if (code !== undefined) state.control.stopCode = code;
}

/** Nobody waits for a new plan any more. What a planner holds that works on one comes back when it has stopped. */
function leavePlanner(state: TaskState): void {
  const grant = state.planner.replan?.grant;
  if (grant !== undefined) state.planner.abandonedGrant = grant;
  delete state.planner.replan;
  delete state.planner.wait;
}

function endTask(state: TaskState, { state: end, reason, code }: EventOf<'task.ended'>, now: number): void {
  state.control.phase = 'ended';
  state.decisions.open = [];
  state.control.ended = { state: end, reason, code: code ?? null, at: now };
}
