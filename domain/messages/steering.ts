import type { NewsQuestion, Steering, TaskNews } from '../types/agent.ts';
import type { TaskState } from '../task/state.ts';

/** What people told a subtask, or every subtask, in the order in which they said it. Nothing is ever removed: a place is a number for good. */
export function steeringFor({ control: { steering } }: Pick<TaskState, 'control'>, id: string): Steering[] {
  return steering.flatMap(({ text, subtask }, index) =>
    subtask === null || subtask === id ? [{ id: index + 1, text }] : [],
  );
}

/** What an agent of this subtask is told before its next model call. Anybody may ask: without a subtask, what is for all. */
export function newsFor(
  state: Pick<TaskState, 'control'>,
  { subtask = '', since = 0 }: Partial<NewsQuestion> = {},
): TaskNews {
  return {
    paused: state.control.paused !== null,
    steering: steeringFor(state, subtask).filter(({ id }) => id > since),
  };
}
