// A worker of the user's own that is killed says nothing about the attempt: no tier is climbed, the same attempt goes on.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { until } from '../support/cli.ts';
import { endOf, useRig } from '../support/rig.ts';

const rig = useRig();

function startOracle(queue: string): ChildProcess {
  const program = join(import.meta.dirname, '..', 'support', 'oracle-worker.ts');
  const child = spawn(process.execPath, [program, inject('temporalAddress'), queue], { stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

const callsIn = (workspace: string): string[] => {
  const file = join(workspace, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

test.each([
  ['absorbed by the retry policy', 5, 0],
  ['waited for as a sick environment when the policy is spent', 1, 1],
])('killed with its heartbeat missed: %s', async (_, maximumAttempts, waits) => {
  const queue = `oracle-${process.pid}-${maximumAttempts}`;
  const workspace = rig.workspace();
  const first = startOracle(queue);
  const task = await rig.start({
    goal: 'ask',
    workspace,
    executor: { kind: 'activity', name: 'askTheOracle', taskQueue: queue, heartbeat: '3s', timeout: '5m' },
    ladder: [
      { tier: 'assigned', retry: { initialInterval: '50ms', backoff: 1, maximumInterval: '50ms', maximumAttempts } },
      { tier: 'highest', thinking: true },
      { person: true },
    ],
    subtasks: [{ id: 'work' }],
  });
  await until('the activity runs', () => callsIn(workspace).length === 1);
  const gone = once(first, 'close');
  first.kill('SIGKILL');
  await gone;
  startOracle(queue);
  await until('it is called again', () => callsIn(workspace).length === 2);
  writeFileSync(join(workspace, 'go'), '');
  expect(await endOf(task)).toBe('completed');
  expect(callsIn(workspace)).toEqual(['1 1', '1 1']);
  const attempts = await task.attempts();
  expect(attempts).toMatchObject([{ attempt: 1, tier: 1, outcome: 'passed' }]);
  expect(attempts[0]?.waits).toHaveLength(waits);
});
