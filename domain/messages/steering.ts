import type { NewsQuestion, SteeringNote, TaskNews } from '../types/agent.ts';
import type { TaskState } from '../task/state.ts';

/** Steering for a subtask, or for every subtask, in the order in which people sent it. Nothing is ever removed: a place is a number for good. */
export function steeringFor({ control: { steering } }: Pick<TaskState, 'control'>, id: string): SteeringNote[] {
  return steering.flatMap(({ text, subtask }, index) =>
    subtask === null || subtask === id ? [{ id: index + 1, text }] : [],
  );
}

/** The news for an agent of this subtask before its next model call. Anybody may ask: without a subtask, the answer is what holds for all. */
export function newsFor(
  state: Pick<TaskState, 'control'>,
  { subtask = '', since = 0 }: Partial<NewsQuestion> = {},
): TaskNews {
  return {
    paused: state.control.paused !== null,
    steering: steeringFor(state, subtask).filter(({ id }) => id > since),
  };
}
