import { subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import type { Step } from '../types/ladder.ts';

/**
 * The conversation of an agent program that a retry goes on in: that of the last failure, at the same tier and thinking. A stronger
 * model begins afresh, and so does an attempt whose conversation had grown too long, or whose files were brought back.
 */
export function findResumableSession(
  state: TaskState,
  id: string,
  { tier, thinking, restore }: Step,
): string | undefined {
  const last = subtaskOf(state, id).failures.at(-1);
  if (last?.session === undefined || last.tier !== tier || last.thinking !== thinking || restore === true)
    return undefined;
  return last.failure.type === 'context-overflow' ? undefined : last.session.id;
}
