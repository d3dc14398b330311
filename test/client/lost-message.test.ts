// A server that starts again forgets a message that it had not handed to a worker: the task is open, and nobody may say that it ended.
import { Client, WorkflowNotFoundError, type WorkflowClientInterceptor } from '@temporalio/client';
import { expect, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../client/index.ts';
import { useScriptedRig } from '../support/scripted-rig.ts';
import { status } from './cli/shared/support.ts';

const rig = useScriptedRig();

const forgets: WorkflowClientInterceptor = {
  startUpdate: ({ workflowExecution: { workflowId } }) =>
    Promise.reject(new WorkflowNotFoundError('update not found', workflowId, undefined)),
};

function forgotten(task: TaskHandle): TaskHandle {
  const { connection } = rig.client.temporal;
  const client = new Client({ connection, interceptors: { workflow: [forgets] } });
  return new HeddleClient(client, { taskQueue: rig.client.taskQueue }).task(task.id);
}

test('a message that the server lost is unanswered while the task is open, and too late once it has ended', async () => {
  const script = { status: status({ id: 't', state: 'running', lastEventId: 1 }), events: 1, attempts: 0 };
  const task = await rig.start(script);
  await task.status();
  const text = 'be brief';
  await expect(forgotten(task).steer({ text })).rejects.toMatchObject({ code: 'NO_WORKER' });
  await rig.client.temporal.workflow.getHandle(task.workflowId).terminate();
  await expect(forgotten(task).steer({ text })).rejects.toMatchObject({ code: 'TASK_ENDED' });
  await expect(rig.client.task('never-was').steer({ text })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
});
