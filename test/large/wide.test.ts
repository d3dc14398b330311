// Very many subtasks through the real server: what is sent at once and what a run holds stays below the limits of size.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { limits } from '../../domain/limits/domain-limits.ts';
import { useOwnActivity } from '../support/own-activity.ts';
import { useRig } from '../support/rig.ts';

const rig = useRig();
const executor = useOwnActivity(rig, () => ({ status: 'success', notes: 'done' }));

test('of 450 subtasks at once with a goal of 10 kB completes: its starts are cut by bytes', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => ({ id: `s${index}`, description: 'do nothing' }));
  const task = await rig.start({ goal: 'g'.repeat(10_000), executor, maxParallelSubtasks: 450, subtasks: ids });
  await task.result();
  expect(await task.status()).toMatchObject({ state: 'completed', summary: '450 subtasks done' });
  const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
  const sent = new Map<string, number>();
  for (const { activityTaskScheduledEventAttributes: start } of events ?? []) {
    const message = String(start?.workflowTaskCompletedEventId);
    const bytes = start?.input?.payloads?.reduce((sum, { data }) => sum + (data?.length ?? 0), 0) ?? 0;
    sent.set(message, (sent.get(message) ?? 0) + bytes);
  }
  const sizes = [...sent.values()];
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(4 * 1024 * 1024);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.startBytes);
}, 240_000);

test('a run that its worker could not replay within a workflow task is never written: a new one begins before', async () => {
  const subtasks = Array.from({ length: 260 }, (_, index) => ({ id: `s${index}`, description: 'do nothing' }));
  const plan = { goal: 'many', executor, workspace: rig.workspace(), maxParallelSubtasks: 20, subtasks };
  const workflowId = `task-${randomUUID()}`;
  const options = { workflowId, taskQueue: rig.taskQueue, workflowTaskTimeout: '2s', args: [plan] } as const;
  const { firstExecutionRunId } = await rig.temporal.workflow.start('task', options);
  rig.adopt(workflowId);
  await rig.temporal.workflow.getHandle(workflowId).result();
  const first = await rig.temporal.workflow.getHandle(workflowId, firstExecutionRunId).describe();
  expect(first.status.name).toBe('CONTINUED_AS_NEW');
  expect(first.historyLength).toBeLessThan(2_500);
  const status = await rig.client.task(workflowId.replace('task-', '')).status();
  expect(status).toMatchObject({ state: 'completed', summary: '260 subtasks done' });
});
