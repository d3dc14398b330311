// A pause through kill -9 of the worker and of the server: no request until the resume, nothing lost, nothing paid twice.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventsOf, isEvent } from '../../support/events.ts';
import { holdReplyAt } from '../../support/models/held-replies.ts';
import { endOf, eventOf, replay } from '../../support/rig.ts';
import { writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { until } from '../../support/witness.ts';
import { Machine } from '../random/machine.ts';

test('a pause at turn 5 lasts through the death of worker and server, also one that hits a call under way', async () => {
  const machine = await Machine.start({ continueAt: 4_096 });
  const begin = async (name: string) => {
    const workspace = join(machine.folder, name);
    mkdirSync(workspace);
    const service = await holdReplyAt(5, 8);
    writeModels(workspace, service.url);
    const subtasks = [{ id: 'walk', description: 'Take steps' }];
    const plan = vouched({ goal: 'Walk', workspace, executor: 'agent' as const, subtasks });
    const task = await machine.client.start(plan, { id: `pause-${process.pid}-${name}` });
    await until(() => service.requests.length === 5, 40_000);
    return { task, service };
  };
  const [calm, struck] = await Promise.all([begin('calm'), begin('struck')]);
  await calm.task.pause({ reason: 'release freeze' });
  calm.service.release();
  await eventOf(calm.task, isEvent('attempt.suspended'));
  // The other one dies in the middle of its fifth call, and is paused before anybody has taken it over.
  await machine.kill('worker', 0);
  await struck.task.pause();
  struck.service.release();
  await eventOf(struck.task, isEvent('attempt.suspended'));
  await machine.kill('server', 0);
  await machine.kill('worker', 0);
  await sleep(500);
  for (const { task, service } of [calm, struck]) {
    expect(service.requests).toHaveLength(5);
    expect((await task.status()).state).toBe('paused');
    await task.steer({ text: 'mind the gap' });
    await task.resume();
  }
  expect(await endOf(calm.task)).toBe('completed');
  expect(await endOf(struck.task)).toBe('completed');
  // One answer of the fifth turn was lost with the worker: that call alone is made again.
  expect(calm.service.requests).toHaveLength(8);
  expect(struck.service.requests).toHaveLength(9);
  for (const { task, service } of [calm, struck]) {
    expect(service.requests[5]?.text).toContain('mind the gap');
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'attempt.suspended')).toMatchObject([{ why: 'pause', attempt: 1 }]);
    expect(eventsOf(items, 'attempt.resumed')).toMatchObject([{ why: 'pause', attempt: 1 }]);
    await replay(machine.temporal, task.workflowId);
  }
  expect(await calm.task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, modelCalls: 8 }]);
  expect(await struck.task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 1, modelCalls: 9 }]);
}, 60_000);
