import { reduceLadder } from '../recovery/ladder.ts';
import type { Ladder } from '../types/ladder.ts';
import { rowOf } from './read-state.ts';
import type { TaskState } from './state.ts';

/** The ladder of one subtask, reduced to the rungs that add something for it. */
export function resolveLadder(state: TaskState, id: string): Ladder {
  const definition = rowOf(state, id);
  return reduceLadder(definition.ladder ?? state.plan.settings?.ladder ?? [], definition.tier);
}
