import type { TaskEvent } from '../types/events.ts';
import { transitions } from './phase-transitions.ts';
import type { QueueState, TaskState } from './state.ts';
import type { Phase } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

type List = 'ready' | 'delayed' | 'running';

/** The list of the queue that a subtask in this phase is in. A subtask is in at most one. */
function listFor(phase: Phase): List | null {
  switch (phase.name) {
    case 'ready':
    case 'delayed':
    case 'running':
      return phase.name;
    case 'suspended':
      return phase.notBefore === null ? 'ready' : 'delayed';
    default:
      return null;
  }
}

/** Moves a subtask to its next phase: the one place where a phase changes, and where the table of transitions is held. */
export function enterPhase(state: TaskState, subtask: SubtaskState, event: TaskEvent['type'], phase: Phase): void {
  const { id, phase: before } = subtask;
  if (transitions[before.name][event]?.includes(phase.name) !== true)
    throw new Error(`${id} is ${before.name}: ${event} cannot make it ${phase.name}`);
  subtask.phase = phase;
  const [left, entered] = [listFor(before), listFor(phase)];
  // A subtask that stays in its list keeps its place there.
  if (left === entered) return;
  if (left !== null) remove(state.queue, left, id);
  if (entered !== null) state.queue[entered].push(id);
}

function remove(queue: QueueState, list: List, id: string): void {
  const index = queue[list].indexOf(id);
  if (index !== -1) queue[list].splice(index, 1);
}
