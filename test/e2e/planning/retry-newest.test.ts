// A retry runs the newest version of a plan: what a person replaced by `edit`, or a new plan superseded, never comes back.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectFile } from '../../../activities/store/store-layout.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import type { RetryPlan } from '../../../client/start/plan-retry.ts';
import { codeOf, decisionOpened, endOf, eventOf, linesOf, shellPlan, useRig } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';
import { retryPlanOf, startRetryOf } from './retry-support.ts';
import { finishes, goodPlan, playModels, plans, startGoal } from './support.ts';

const rig = useRig();

const oneTry = { ladder: [{ tier: 'assigned' as const }] };
const idsOf = ({ reused, runs }: RetryPlan): string[][] => [reused.map(({ id }) => id), runs.map(({ id }) => id)];
const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });
const untilFixed = 'test -e fixed && echo fixed';
const fix = (workspace: string): void => writeFileSync(join(workspace, 'fixed'), '');

test('a retry runs the plan that a person gave by `edit`', async () => {
  const workspace = rig.workspace();
  const deploy = { sh: 'touch deployed; echo deployed', dependsOn: ['build'] };
  const task = await rig.start(
    shellPlan({ build: { sh: untilFixed }, 'deploy-prod': deploy }, { workspace, planApproval: true, ...oneTry }),
  );
  const { decision } = await eventOf(task, decisionOpened());
  const build = { id: 'build', description: 'build it', executor: command(untilFixed) };
  const value = { subtasks: [build, { id: 'tell', dependsOn: ['build'], executor: command('echo told') }] };
  await task.decide({ decisionId: decision.id, option: 'edit', value });
  expect(await endOf(task)).toBe('failed');
  const retry = await retryPlanOf(rig, task);
  expect(idsOf(retry)).toEqual([[], ['build', 'tell']]);
  fix(workspace);
  const again = await startRetryOf(rig, { ...retry, input: { ...retry.input, planApproval: false } });
  expect(await endOf(again)).toBe('completed');
  expect((await again.status()).subtasks.map(({ id }) => id)).toEqual(['build', 'tell']);
  expect(existsSync(join(workspace, 'deployed'))).toBe(false);
});

test('a plan that was replaced does not come back where the newest version is gone', async () => {
  const task = await rig.start(shellPlan({ build: { sh: 'exit 1' } }, { planApproval: true, ...oneTry }));
  const { decision } = await eventOf(task, decisionOpened());
  const value = { subtasks: [{ id: 'other', executor: command('exit 1') }] };
  await task.decide({ decisionId: decision.id, option: 'edit', value });
  expect(await endOf(task)).toBe('failed');
  const { sha256 = '' } = (await task.plan())?.written ?? {};
  rmSync(objectFile(rig.storeFolder, sha256));
  expect(await codeOf(retryPlanOf(rig, task))).toBe('RETRY_DOES_NOT_FIT');
});

test('a retry runs the plan that a model changed, with the executors of what stayed', async () => {
  const workspace = rig.workspace();
  const replan = {
    reason: 'It takes too long.',
    subtasks: [
      { id: 'done' },
      { id: 'slow', description: 'be short' },
      { id: 'extra', description: 'more', dependsOn: ['slow'], verify: ['test -e extra.md'] },
    ],
    superseded: [{ id: 'deploy-prod', reason: 'nobody asked for it' }],
  };
  playModels(workspace, plans(replan));
  const task = await rig.start(
    shellPlan(
      {
        done: { sh: 'echo done | tee done.md', verify: ['test -e done.md'] },
        slow: { sh: `echo slow >> ran; grep -q "be short" || sleep 60; ${untilFixed}` },
        'deploy-prod': { sh: 'touch deployed; echo deployed', dependsOn: ['slow'] },
      },
      { workspace, ...oneTry, executor: { kind: 'command', run: ['sh', '-c', 'echo extra | tee extra.md'] } },
    ),
  );
  await eventOf(task, (event) => event.type === 'subtask.completed' && event.subtask === 'done');
  await until(() => linesOf(join(workspace, 'ran')).length === 1);
  await task.steer({ text: 'make it shorter', replan: true });
  expect(await endOf(task)).toBe('failed');
  const retry = await retryPlanOf(rig, task);
  expect(idsOf(retry)).toEqual([['done'], ['slow', 'extra']]);
  fix(workspace);
  const again = await startRetryOf(rig, retry);
  expect(await endOf(again)).toBe('completed');
  expect(existsSync(join(workspace, 'deployed'))).toBe(false);
  const [done, slow, extra] = ((await again.plan())?.subtasks ?? []) as Subtask[];
  expect(slow).toMatchObject({ id: 'slow', description: 'be short', executor: { kind: 'command' } });
  // What a model wrote runs in the sandbox in the retry too; what the person wrote does not.
  expect([done?.verifyInSandbox, extra?.verifyInSandbox]).toEqual([undefined, true]);
});

test('a replan keeps the programs that a person put into the plan of a goal', async () => {
  const changed = {
    reason: 'It is shorter.',
    subtasks: [
      { id: 'inspect' },
      { id: 'own' },
      { id: 'short', description: 'Write short.md', dependsOn: ['inspect'], verify: ['test -e short.md'] },
    ],
  };
  const { task } = await startGoal(
    rig,
    [
      ...plans(goodPlan, changed),
      finishes('inspect'),
      { when: { role: 'executor', subtask: 'short' }, times: 9, reply: { status: 400 } },
    ],
    { ...oneTry, planApproval: true, planning: { degraded: 'deny' } },
  );
  const { decision } = await eventOf(task, decisionOpened());
  const own = { id: 'own', description: 'my own', executor: command('sleep 3; exit 1') };
  await task.decide({ decisionId: decision.id, option: 'edit', value: { subtasks: [goodPlan.subtasks[0], own] } });
  await eventOf(task, (event) => event.type === 'subtask.completed' && event.subtask === 'inspect');
  await task.steer({ text: 'make it short', replan: true });
  expect(await endOf(task)).toBe('failed');
  const retry = await retryPlanOf(rig, task);
  expect(idsOf(retry)).toEqual([['inspect'], ['own', 'short']]);
  const again = await startRetryOf(rig, { ...retry, input: { ...retry.input, planApproval: false } });
  await endOf(again);
  const executors = ((await again.plan())?.subtasks ?? []) as Subtask[];
  expect(executors.map(({ id, executor }) => [id, executor.kind])).toEqual([
    ['inspect', 'agent'],
    ['own', 'command'],
    ['short', 'agent'],
  ]);
});
