import proto from '@temporalio/proto';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { clientLimits } from '../limits/client-limits.ts';
import { parseActivityId, hostOfQueue, buildHostQueue } from '../../domain/names/names.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { clip, formatList } from '../../domain/text/text.ts';

export type PendingActivity = proto.temporal.api.workflow.v1.IPendingActivityInfo;

/** Activities of a task that have not ended, as the server describes them. */
export const pendingIn = ({ raw }: WorkflowExecutionDescription): readonly PendingActivity[] =>
  raw.pendingActivities ?? [];

/** Work that lies in a queue and that no worker takes. */
export interface WorkerWait {
  /** Undefined: the task itself waits, for its preparation or its end. */
  subtask: string | undefined;
  attempt: number | undefined;
  /** The worker that it waits for, in words. */
  worker: string;
}

/**
 * Lists the work of a task that waits for a worker: its host is gone, or was never there. A worker that is there takes work within milliseconds, so
 * work that lies there for seconds has none, or one that has its hands full.
 */
export function findWorkerWaits(
  pending: readonly PendingActivity[],
  about: { taskQueue: string; host: string | null; now: number },
): WorkerWait[] {
  const scheduled = proto.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
  return pending.flatMap((activity) => {
    const { activityId, activityType, state, scheduledTime, nextAttemptScheduleTime } = activity;
    // A retry that waits for its own time waits for nobody.
    if (state !== scheduled || readAhead(nextAttemptScheduleTime, about.now) !== undefined) return [];
    const since = scheduledTime === null || scheduledTime === undefined ? about.now : tsToMs(scheduledTime);
    if (about.now - since < clientLimits.cli.workerWait) return [];
    const call = parseActivityId(activityId);
    const queue = activity.activityOptions?.taskQueue?.name ?? guessQueue(activityType?.name, about);
    return [
      {
        subtask: call?.subtask,
        attempt: call?.attempt,
        worker: formatWorker(queue, about.taskQueue),
      },
    ];
  });
}

type Timestamp = Parameters<typeof tsToMs>[0] | null;

/** Reads a time of the server that is still to come, in milliseconds. */
export function readAhead(time: Timestamp, now: number): number | undefined {
  const at = time === null || time === undefined ? now : tsToMs(time);
  return at > now ? at : undefined;
}

/** Older servers do not say where an activity waits; all that needs files waits for the task's host. */
function guessQueue(type: string | null | undefined, about: { taskQueue: string; host: string | null }): string {
  const isShared = type === 'prepareTask' || type === 'rememberTask' || type === 'cancelTask';
  return isShared || about.host === null ? about.taskQueue : buildHostQueue(about.taskQueue, about.host);
}

function formatWorker(queue: string, taskQueue: string): string {
  const host = hostOfQueue(queue, taskQueue);
  return host === undefined ? `a worker on the queue ${queue}` : `a worker on host ${host}`;
}

/** The status as the workflow tells it, which cannot know who is there, with what waits for a worker. */
export function withWorkerWaits(status: StatusView, waits: readonly WorkerWait[]): StatusView {
  if (waits.length === 0) return status;
  const workers = [...new Set(waits.map(({ worker }) => worker))];
  const subtasks = new Map(waits.map(({ subtask, worker }) => [subtask, worker]));
  const isAll = status.subtasks.every(({ id, state }) => state !== 'running' || subtasks.has(id));
  const waiting = `${isAll ? 'Waiting' : 'waiting'} for ${formatList(workers)}`;
  return {
    ...status,
    summary: clip(isAll ? waiting : `${status.summary}; ${waiting}`, 300),
    subtasks: status.subtasks.map((subtask) => {
      const worker = subtasks.get(subtask.id);
      return worker === undefined ? subtask : { ...subtask, waitsForWorker: worker };
    }),
  };
}

/** The status of a task that runs something, with what waits for a worker by the server's description of the task. */
export function addWorkerWaits(
  status: StatusView,
  description: WorkflowExecutionDescription,
  taskQueue: string,
): StatusView {
  const isIdle = status.state !== 'planning' && status.subtasks.every(({ state }) => state !== 'running');
  if (isIdle) return status;
  return withWorkerWaits(
    status,
    findWorkerWaits(pendingIn(description), { taskQueue, host: status.host, now: Date.now() }),
  );
}
