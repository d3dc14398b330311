import type { StatusView } from '../../domain/views/task-status.ts';
import { listActivity, type LiveActivity } from '../live/live-activity.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { readStatus, type StatusAnswer } from './read-status.ts';

/** A task as people look at it: its status, who started it, and what its attempts print now. */
export interface SeenTask {
  status: StatusView;
  by: string | null;
  activity: LiveActivity[];
}

/** Looks at a task. Without a worker the server still knows how the task was. */
export async function lookAtTask(
  client: HeddleClient,
  handle: TaskHandle,
): Promise<SeenTask | Extract<StatusAnswer, { problem: unknown }>> {
  const answer = await readStatus(client, handle);
  if ('problem' in answer) return answer;
  const description = await client.temporal.workflow.getHandle(handle.workflowId).describe();
  const by = description.memo?.['by'];
  const isOver = answer.status.endedAt !== null;
  return {
    status: answer.status,
    by: typeof by === 'string' ? by : null,
    activity: isOver
      ? []
      : await listActivity(description, { taskQueue: client.taskQueue, decoding: client.temporal.options }),
  };
}
