// A server that nobody prepared for Heddle: a task runs to its end, and lists and inbox still work.
import { describe, expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';

const rig = useRig({ server: { searchAttributes: false } });

describe('a server without our search attributes', () => {
  test('runs a task to its end with a question in between', async () => {
    const task = await rig.start(shellPlan({ stuck: { sh: 'exit 77' }, free: { sh: 'echo ok' } }));
    await eventOf(task, decisionOpened());
    expect((await rig.client.inbox()).items.map(({ id }) => id)).toEqual(['stuck-1']);
    await task.decide({ decisionId: 'stuck-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    expect(await rig.client.list()).toMatchObject([{ id: task.id, goal: 'a test', state: 'completed', project: null }]);
    expect((await task.plan())?.searchAttributes).toEqual([]);
  });

  test('says that a stopped task was cancelled', async () => {
    const task = await rig.start(shellPlan({ stuck: { sh: 'exit 77' } }));
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'stuck-1', option: 'abort' });
    expect(await endOf(task)).toBe('cancelled');
    await task.result().catch(() => undefined);
    const [listed] = (await rig.client.list()).filter(({ id }) => id === task.id);
    expect(listed?.state).toBe('cancelled');
  });
});
