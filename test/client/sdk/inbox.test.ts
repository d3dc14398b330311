// The inbox of many tasks: one that does not answer hides no other and is named.
import { expect, test } from 'vitest';
import { collectInbox } from '../../../client/sdk/inbox.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { at, decision } from '../cli/shared/support.ts';

const tasks = (...ids: string[]) => ids.map((id) => ({ id, goal: `goal of ${id}` }));

test('shows the rest when one does not answer, oldest question first, and names the silent one', async () => {
  const inbox = await collectInbox(tasks('young', 'silent', 'old', 'broken'), (id) => {
    if (id === 'silent') throw new HeddleError({ code: 'NO_WORKER', message: 'No worker is responding' });
    if (id === 'broken') throw new Error('odd');
    return Promise.resolve([decision({ id: `${id}-1`, openedAt: at(id === 'old' ? 1 : 2) })]);
  });
  expect(inbox.items.map(({ taskId, id, goal }) => [taskId, id, goal])).toEqual([
    ['old', 'old-1', 'goal of old'],
    ['young', 'young-1', 'goal of young'],
  ]);
  expect(inbox.silent).toEqual([
    { taskId: 'silent', problem: { code: 'NO_WORKER', message: 'No worker is responding' } },
    { taskId: 'broken', problem: { code: 'INTERNAL', message: 'odd' } },
  ]);
});

test('a task that is gone since it was listed asks nothing and is not named', async () => {
  const gone = new HeddleError({ code: 'TASK_NOT_FOUND', message: 'gone' });
  expect(await collectInbox(tasks('a'), () => Promise.reject(gone))).toEqual({ items: [], silent: [] });
});

test('asks a few at a time, each once', async () => {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const ids = Array.from({ length: 35 }, (_, n) => `t${n}`);
  await collectInbox(tasks(...ids), async (id) => {
    asked.push(id);
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return [];
  });
  expect(asked.sort()).toEqual(ids.sort());
  expect(most).toBe(clientLimits.inboxParallel);
});
