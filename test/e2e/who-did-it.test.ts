// The names of the people who started, steered, paused, resumed and cancelled a task are told with it.
import { expect, test } from 'vitest';
import { shellPlan, useRig } from '../support/rig.ts';
import { told } from './typed-events.ts';

const rig = useRig();

test('a task tells who started, steered, paused, resumed and cancelled it, and why', async () => {
  const workspace = rig.workspace();
  const plan = shellPlan({ wait: { sh: 'sleep 60' } }, { workspace });
  const task = await rig.start(plan, { by: 'ben' });
  await told(task, 'subtask.started', () => true);
  await task.steer({ text: 'be brief', by: 'ana' });
  await task.pause({ reason: 'freeze', by: 'ben' });
  await task.resume({ by: 'cleo' });
  await task.cancel({ by: 'ana', reason: 'wrong branch' });
  await expect(task.result()).rejects.toThrow('was cancelled');
  const events = await task.events();
  expect(events.find(({ type }) => type === 'task.steered')).toMatchObject({
    who: 'ana',
    text: 'New instruction by ana: be brief',
  });
  expect(events.find(({ type }) => type === 'task.paused')).toMatchObject({
    who: 'ben',
    by: 'person',
    text: 'Paused by ben: freeze',
  });
  expect(events.find(({ type }) => type === 'task.resumed')).toMatchObject({ who: 'cleo', text: 'Resumed by cleo.' });
  expect(events.find(({ type }) => type === 'task.cancelling')).toMatchObject({
    reason: 'ana cancelled it: wrong branch',
  });
  expect(await task.status()).toMatchObject({ state: 'cancelled', summary: 'ana cancelled it: wrong branch' });
  await expect
    .poll(async () => (await rig.client.list()).find(({ id }) => id === task.id), { timeout: 10_000 })
    .toMatchObject({ by: 'ben', state: 'cancelled', costUsd: 0 });
});
