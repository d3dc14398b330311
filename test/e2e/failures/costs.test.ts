// What a task used is what all its executions used: also those that a retry policy absorbed, that waited, or that were cancelled.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import { isEvent } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { runsIn, until, witness } from '../../support/witness.ts';

const rig = useRig({ alone: true });
const says = (status: string): string => `echo '{"status":"${status}","notes":"said so","costUsd":1,"tokens":10}'`;
const failsFirst = (times: number, how: string): string =>
  `${witness}; ${says('failed')} > said; [ $(wc -l < runs.log) -gt ${times} ] || { cat said; ${how}; }; ${says('success')}`;
const retry = (maximumAttempts: number) => ({
  initialInterval: '50ms',
  backoff: 1,
  maximumInterval: '50ms',
  maximumAttempts,
});

/** The sums of the attempts and of the whole task are the same. */
async function expectUsed(task: TaskHandle, costs: number[]): Promise<void> {
  const attempts = await task.attempts();
  expect(attempts.map(({ costUsd }) => costUsd)).toEqual(costs);
  expect(attempts.map(({ tokens }) => tokens)).toEqual(costs.map((cost) => cost * 10));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  expect((await task.status()).budget).toMatchObject({ costUsd: { used: total }, tokens: { used: total * 10 } });
}

test('tries that a retry policy absorbed count', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(
    shellPlan(
      { work: { sh: failsFirst(3, 'exit 75') } },
      { workspace, ladder: [{ tier: 'assigned', retry: retry(10) }] },
    ),
  );
  expect(await endOf(task)).toBe('completed');
  expect(runsIn(workspace)).toHaveLength(4);
  await expectUsed(task, [4]);
});

test('tries of a policy that is spent count, and what comes after them does not count them again', async () => {
  const workspace = rig.workspace();
  const ladder = [{ tier: 'assigned' as const, retry: retry(2) }, { person: true }];
  const task = await rig.start(shellPlan({ work: { sh: failsFirst(2, 'exit 75') } }, { workspace, ladder }));
  await eventOf(task, decisionOpened('work-1'));
  await expectUsed(task, [2]);
  await task.decide({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  await expectUsed(task, [2, 1]);
});

test('an execution that ended in a wait for the environment counts, at once and only once', async () => {
  const workspace = rig.workspace();
  const full = 'echo "ENOSPC: no space left on device" >&2; exit 1';
  // The contract reports no failure of its own: the words show what it was.
  const sh = `${witness}; [ $(wc -l < runs.log) -gt 1 ] || { ${full.replace('exit 1', says('success'))}; exit 1; }; ${says('success')}`;
  const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
  await eventOf(task, isEvent('attempt.suspended'));
  await expectUsed(task, [1]);
  // The next execution does not even find what ran before: it used nothing, and takes nothing back.
  const running = join(dirname(rig.storeFolder), 'running');
  renameSync(running, `${running}-away`);
  writeFileSync(running, '');
  await eventOf(task, isEvent('attempt.resumed'));
  await until(async () => {
    const { subtasks } = await task.status();
    return subtasks[0]?.state !== 'running';
  });
  await expectUsed(task, [1]);
  rmSync(running);
  renameSync(`${running}-away`, running);
  const [decision] = (await task.status()).decisions;
  if (decision !== undefined) await task.decide({ decisionId: decision.id, option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  const attempts = await task.attempts();
  expect(attempts.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBe(2);
  expect((await task.status()).budget).toMatchObject({ costUsd: { used: 2 }, tokens: { used: 20 } });
});

test('an attempt that was cancelled with its task counts', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(
    shellPlan({ work: { sh: `${witness}; ${says('partial')}; touch said; sleep 600` } }, { workspace }),
  );
  await until(() => runsIn(workspace).length === 1);
  await until(async () => (await task.activity()).some(({ line }) => line.includes('costUsd')));
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
  expect(await task.attempts()).toMatchObject([{ outcome: 'cancelled' }]);
  await expectUsed(task, [1]);
});
