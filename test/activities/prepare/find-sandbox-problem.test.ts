// `mode = "require"` is looked at before a task starts, where an agent is in the plan.
import { expect, test } from 'vitest';
import { findSandboxProblem } from '../../../activities/prepare/find-sandbox-problem.ts';
import type { Sandbox } from '../../../activities/sandbox/find-sandbox.ts';
import { agent } from '../../../domain/executors/agent.ts';
import type { SandboxSetting } from '../../../domain/types/basic/gate.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { subtask } from '../execute/program/support-subtask.ts';

const program = subtask('build', {});
const agents = subtask('draft', { executor: agent.complete({ kind: 'agent' }, { timeout: 1 }) });
const none: Sandbox = { kind: 'none', why: 'bubblewrap is not installed' };
const some: Sandbox = { kind: 'bubblewrap', program: '/usr/bin/bwrap', version: 'bubblewrap 0.8.0' };

test.each<[string, Subtask[], SandboxSetting['mode'], Sandbox, number]>([
  ['an agent and no sandbox', [program, agents], 'require', none, 1],
  ['an agent and a sandbox', [program, agents], 'require', some, 0],
  ['no agent', [program], 'require', none, 0],
  ['a config that does not insist', [agents], 'auto', none, 0],
  ['a disposable host', [agents], 'container', none, 0],
  ['a config that wants none', [agents], 'off', none, 0],
])('%s', async (_, subtasks, mode, sandbox, count) => {
  const problems = await findSandboxProblem(subtasks, { mode, network: false }, () => Promise.resolve(sandbox));
  expect(problems).toHaveLength(count);
});

test('it says why, and what to do', async () => {
  const [problem] = await findSandboxProblem([agents], { mode: 'require', network: false }, () =>
    Promise.resolve(none),
  );
  expect(problem).toEqual({
    code: 'SANDBOX_MISSING',
    message: `draft is an agent's, whose commands run in a sandbox only, and there is none where the worker runs: bubblewrap is not installed`,
    where: 'sandbox.mode',
    hint: 'Install bubblewrap there (Debian, Ubuntu: `apt-get install bubblewrap`), or choose another `mode`: see docs/sandbox.md.',
  });
});
