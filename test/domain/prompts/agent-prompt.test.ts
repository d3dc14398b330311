// The state of a task in an agent's prompt.
import { expect, test } from 'vitest';

import { limits } from '../../../domain/limits/domain-limits.ts';
import { agentState } from '../../../domain/prompts/agent-prompt.ts';

test('the state of a task is bounded, whatever the plan', () => {
  const subtasks = Array.from({ length: 5_000 }, (_, at) => ({ id: `subtask-${at}`, status: 'pending' as const }));
  const state = agentState({
    subtaskId: 'x',
    attempt: 1,
    brief: { counts: { pending: 5_000 }, subtasks },
    readRoots: [],
  });
  expect(state.length).toBeLessThan(limits.agentState + 100);
});

test("the state of a task names the agent's own subtask and the readable folders", () => {
  const brief = {
    counts: { completed: 1, running: 1 },
    subtasks: [
      { id: 'draft', status: 'running' as const },
      { id: 'read & <plan>', status: 'completed' as const },
    ],
  };
  expect(agentState({ subtaskId: 'draft', attempt: 2, brief, readRoots: ['/data'] })).toBe(
    [
      '<task_state>',
      'Your subtask: draft, attempt 2.',
      'You may write: the working folder. You may read: the working folder, /data.',
      'Plan: 1 completed, 1 running.',
      '- draft: yours',
      '- read &amp; &lt;plan&gt;: completed',
      '</task_state>',
    ].join('\n'),
  );
});
