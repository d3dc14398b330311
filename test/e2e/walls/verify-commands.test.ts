// An agent may have written the files that a verify command runs a moment ago: it runs in the sandbox, unless the plan says otherwise.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { codeOf, endOf, useRig } from '../../support/rig.ts';
import { makeTrap, needsSandbox, play, type Turn } from './support-walls.ts';

const rig = useRig();

/** The agent writes the test that the plan runs; it leaves a trace outside where it can. */
function attack(): { trace: string; turns: Turn[] } {
  const { trace } = makeTrap();
  const content = `echo ran >> ${trace}\ntouch checked\nexit 0\n`;
  return { trace, turns: [[['write_file', { path: 'test.sh', content }]]] };
}

const verify = ['sh test.sh; test "$HEDDLE_SUBTASK_ID" = agent'];

test('verify commands of an agent run in the sandbox and say so', async (context) => {
  await needsSandbox('auto', context);
  const { trace, turns } = attack();
  const workspace = rig.workspace();
  const { state, task } = await play(rig, { workspace, mode: 'auto', turns, subtask: { verify } });
  expect(state).toBe('completed');
  expect(existsSync(join(workspace, 'checked'))).toBe(true);
  expect(existsSync(trace)).toBe(false);
  expect((await task.attempts())[0]?.verify).toMatchObject([{ exit: 0, sandboxed: true }]);
  // The plan's author wrote them: nobody is asked.
  const { items } = await task.allEvents();
  expect(items.map(({ type }) => type)).not.toContain('decision.opened');
});

test('the question about a result says that they ran in the sandbox', async (context) => {
  await needsSandbox('auto', context);
  const { turns } = attack();
  const given = { workspace: rig.workspace(), mode: 'auto' as const, turns };
  const { state, task } = await play(rig, { ...given, subtask: { verify }, plan: { approval: 'manual' } });
  expect(state).toBe('completed');
  const { items } = await task.allEvents();
  const problems = eventsOf(items, 'decision.opened').map(({ decision }) => decision.problem);
  expect(problems).toEqual([expect.stringContaining('its checks passed (in the sandbox)') as string]);
});

test.each([
  ['the subtask', { subtask: { verify, verifyOutside: true } }],
  ['the plan', { subtask: { verify }, plan: { verifyOutside: true } }],
])('%s may say that they run outside', async (_, given) => {
  const { trace, turns } = attack();
  const { state, task } = await play(rig, { workspace: rig.workspace(), mode: 'auto', turns, ...given });
  expect(state).toBe('completed');
  expect(existsSync(trace)).toBe(true);
  expect((await task.attempts())[0]?.verify[0]).not.toHaveProperty('sandboxed');
});

test('without a sandbox they run as programs of the plan do', async () => {
  const { trace, turns } = attack();
  const { state } = await play(rig, { workspace: rig.workspace(), mode: 'off', turns, subtask: { verify } });
  expect(state).toBe('completed');
  expect(existsSync(trace)).toBe(true);
});

const script = (trace: string): string =>
  `printf 'echo ran >> ${trace}\\ntouch checked\\n' > test.sh; echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","total_cost_usd":0.1,"usage":{}}'`;

test.each([
  ['by its output', true, (trace: string) => ({ run: ['sh', '-c', script(trace)], output: 'claude' as const })],
  [
    'by its name',
    true,
    (trace: string, workspace: string) => {
      writeFileSync(join(workspace, 'aider'), `#!/bin/sh\n${script(trace)}\n`, { mode: 0o755 });
      return { run: ['./aider'] };
    },
  ],
  ['not at all', false, (trace: string) => ({ run: ['sh', '-c', script(trace)] })],
])('a program that is an agent %s', async (_, isAgent, executor) => {
  const { trace } = makeTrap();
  if (isAgent) await needsSandbox('auto', { skip: () => undefined as never });
  const workspace = rig.workspace();
  const subtasks = [
    {
      id: 'work',
      executor: { kind: 'command' as const, ...executor(trace, workspace) },
      verify: ['sh test.sh || test -e checked'],
    },
  ];
  const task = await rig.start({ goal: 'a test', workspace, subtasks });
  expect(await endOf(task)).toBe('completed');
  expect(existsSync(join(workspace, 'checked'))).toBe(true);
  expect(existsSync(trace)).toBe(!isAgent);
});

test('a wrong value is refused', async () => {
  const subtasks = [{ id: 'a', executor: { kind: 'command' as const, run: ['true'] } }];
  const plan = { goal: 'a test', workspace: rig.workspace(), subtasks, verifyOutside: 'yes' };
  expect(await codeOf(rig.start(plan as never).then((task) => task.result()))).toBe('PLAN_WRONG_TYPE');
});
