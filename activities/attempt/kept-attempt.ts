import type { KeptAttempt } from '../evidence/keep-attempt.ts';
import type { Attempt } from './attempt.ts';

/** The attempt as its evidence is confirmed. */
export function describeKept({ input, subtask, workspace, readRoots }: Attempt): KeptAttempt {
  const { taskId, subtaskId, attempt, startedAt } = input;
  return {
    ...{ taskId, subtaskId, attempt, startedAt, readRoots },
    workspace: input.workspace,
    folder: workspace,
    isolated: subtask.isolation === 'worktree',
  };
}
