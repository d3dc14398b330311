// People direct an agent that works: what they say is in its next request, and a pause lets it make none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventsOf, isEvent } from '../../support/events.ts';
import { holdReplyAt } from '../../support/models/held-replies.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { until } from '../../support/witness.ts';

const rig = useRig();
const plan = (workspace: string, ...ids: string[]) => ({
  goal: 'Take steps',
  workspace,
  executor: 'agent' as const,
  subtasks: ids.map((id) => ({ id, description: `Do ${id}` })),
});
const times = (text: string | undefined, part: string): number => (text ?? '').split(part).length - 1;

describe('steering', () => {
  test('at turn 5 is in the request of turn 6, once, and in all after it', async () => {
    const workspace = rig.workspace();
    const service = await holdReplyAt(5, 8);
    writeModels(workspace, service.url);
    const task = await rig.start(plan(workspace, 'walk'));
    await until(() => service.requests.length === 5);
    await task.steer({ text: 'mind the <gap>', by: 'ana' });
    await task.steer({ text: 'and be brief', subtask: 'walk' });
    service.release();
    expect(await endOf(task)).toBe('completed');
    expect(service.requests.map(({ text }) => times(text, 'mind the <gap>'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    expect(service.requests.map(({ text }) => times(text, 'and be brief'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    const roles = (service.requests[5]?.body['messages'] as { role: string; content: unknown }[]).slice(-2);
    expect(roles).toMatchObject([{ role: 'tool' }, { role: 'user' }]);
    const [record] = await task.attempts();
    expect(record).toMatchObject({ attempt: 1, outcome: 'passed', modelCalls: 8, reruns: 0 });
  });

  test('reaches only the agents that it is for, and the next attempt has it in its prompt alone', async () => {
    const workspace = rig.workspace();
    const asked = Promise.withResolvers<null>();
    const { url, requests } = await serveScript(async ({ text }) => {
      const id = text.includes('Do left') ? 'left' : 'right';
      const turn = text.split('step ').length;
      if (turn === 2) await asked.promise;
      if (turn < 3) return calls(['narrate', { text: `step ${turn}` }]);
      // The first attempt of one of them fails its check.
      if (id === 'left') writeFileSync(join(workspace, text.includes('retry_context') ? 'left.md' : 'other.md'), 'x');
      return finishes('done');
    });
    writeModels(workspace, url);
    const given = plan(workspace, 'left', 'right');
    const [left, right] = given.subtasks;
    if (left === undefined || right === undefined) throw new Error('there are two');
    const task = await rig.start({ ...given, subtasks: [{ ...left, deliverables: ['left.md'] }, right] });
    await until(() => requests.length === 4);
    await task.steer({ text: 'turn around', subtask: 'left' });
    asked.resolve(null);
    expect(await endOf(task)).toBe('completed');
    const of = (id: string) => requests.filter(({ text }) => text.includes(`Do ${id}`));
    expect(of('right').map(({ text }) => times(text, 'turn around'))).toEqual([0, 0, 0]);
    const [first, second] = [false, true].map((isRetry) =>
      of('left').filter(({ text }) => text.includes('<retry_context') === isRetry),
    );
    expect(first?.map(({ text }) => times(text, 'turn around'))).toEqual([0, 0, 1]);
    expect(second?.map(({ text }) => times(text, 'turn around'))).toEqual([1, 1, 1]);
    expect(second?.every(({ text }) => /<steering>\nturn around\n<\/steering>/.test(text))).toBe(true);
  });
});

describe('a pause', () => {
  test('suspends the agent before its next request; what is said meanwhile is in the first one after the resume', async () => {
    const workspace = rig.workspace();
    const service = await holdReplyAt(5, 8);
    writeModels(workspace, service.url);
    const task = await rig.start({ ...plan(workspace, 'walk'), budget: { wallClock: '1m', modelCalls: 20 } });
    await until(() => service.requests.length === 5);
    await task.pause({ reason: 'release freeze' });
    service.release();
    const suspended = await eventOf(task, isEvent('attempt.suspended'));
    expect(suspended).toMatchObject({ subtask: 'walk', attempt: 1, why: 'pause', waitMs: null });
    expect(await task.status()).toMatchObject({ state: 'paused', summary: 'Paused: release freeze' });
    const used = (await task.status()).budget;
    await rig.restartWorker();
    await task.steer({ text: 'mind the gap' });
    await sleep(500);
    expect(service.requests).toHaveLength(5);
    // The reply that came in the pause is paid and kept; time stands still.
    expect((await task.status()).budget).toEqual(used);
    expect(used.modelCalls).toEqual({ used: 5, limit: 20 });
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect(service.requests.map(({ text }) => times(text, 'mind the gap'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    expect(service.requests[5]?.text).toContain('step 5');
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', modelCalls: 8, reruns: 0 }]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'attempt.resumed')).toMatchObject([{ subtask: 'walk', attempt: 1, why: 'pause' }]);
    expect(eventsOf(items, 'attempt.started')).toHaveLength(1);
  });

  test('that is over before the agent notices changes nothing', async () => {
    const workspace = rig.workspace();
    const service = await holdReplyAt(2, 3);
    writeModels(workspace, service.url);
    const task = await rig.start(plan(workspace, 'walk'));
    await until(() => service.requests.length === 2);
    await task.pause();
    await task.resume();
    service.release();
    expect(await endOf(task)).toBe('completed');
    expect(service.requests).toHaveLength(3);
    expect(eventsOf((await task.allEvents()).items, 'attempt.suspended')).toEqual([]);
  });

  test('and a question of the agent: it goes on when both are over, and a cancellation ends both', async () => {
    const workspace = rig.workspace();
    const { url, requests } = await serveScript([
      calls(['ask_user', { question: 'Which way?', options: [] }]),
      finishes('done'),
    ]);
    writeModels(workspace, url);
    const task = await rig.start(plan(workspace, 'walk'));
    await eventOf(task, decisionOpened('walk-1'));
    await task.pause();
    await task.decide({ decisionId: 'walk-1', option: 'answer', instruction: 'left' });
    await sleep(300);
    expect(requests).toHaveLength(1);
    await task.resume();
    expect(await endOf(task)).toBe('completed');
    expect(requests[1]?.text).toContain('left');

    const other = rig.workspace();
    const service = await holdReplyAt(2, 4);
    writeModels(other, service.url);
    const stopped = await rig.start(plan(other, 'walk'));
    await until(() => service.requests.length === 2);
    await stopped.pause();
    service.release();
    await eventOf(stopped, isEvent('attempt.suspended'));
    await stopped.cancel();
    expect(await endOf(stopped)).toBe('cancelled');
    expect(service.requests).toHaveLength(2);
    expect(await stopped.attempts()).toMatchObject([{ attempt: 1, outcome: 'cancelled', modelCalls: 2 }]);
  });
});
