import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { checkSubtask } from '../start/check-subtask.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';

/** A task or subtask, as people name it. */
export interface Target {
  task: string;
  subtask: string | undefined;
}

/** How a use case reaches the server, where one is needed at all. */
export type WithClient = <T>(action: (client: HeddleClient) => Promise<T>) => Promise<T>;

/** Undefined when there is no server, no worker or no such task: then the snapshots alone decide. `onUnknown` is told why. */
export async function readTaskStatus(
  withClient: WithClient,
  task: string,
  onUnknown: (reason: string) => void,
): Promise<StatusView | undefined> {
  try {
    return await withClient(async (client) => {
      const handle = client.task(task);
      return handle.status().catch(async (error: unknown) => {
        // Without a worker the server still knows whether the task is open; it would go on as soon as a worker comes.
        const isSilent = error instanceof HeddleError && error.code === 'NO_WORKER';
        if (isSilent && (await handle.end()) === undefined)
          throw running(`The task ${task} has not ended, and no worker is responding`, task);
        throw error;
      });
    });
  } catch (error) {
    if (!(error instanceof HeddleError) || error.code === 'TASK_RUNNING') throw error;
    if (error.code !== 'TASK_NOT_FOUND') onUnknown(error.message);
    return undefined;
  }
}

export const running = (message: string, id: string): HeddleError =>
  new HeddleError({
    code: 'TASK_RUNNING',
    message,
    hint: `Follow it with \`heddle watch ${id}\`, or cancel it first.`,
  });

/** Undefined when this machine has no snapshots as nothing of the task has run; throws when its workspace is elsewhere. */
export function nothingHere(status: StatusView, { task, subtask }: Target, verb: 'diff' | 'undo') {
  checkSubtask(status, subtask);
  if (status.subtasks.some(({ attempts }) => attempts > 0)) {
    throw new HeddleError({
      code: 'SNAPSHOTS_ELSEWHERE',
      message: `This machine has no snapshots of the task ${task}; its workspace is on the host ${status.host ?? '?'}`,
      where: status.workspace ?? '',
      hint: `Run \`heddle ${verb} ${task}\` there, with the same HEDDLE_HOME as its worker.`,
    });
  }
  return { taskId: task, subtask: subtask ?? null, workspace: status.workspace, files: [], gaps: [], outside: [] };
}

/** Nothing of the task has run yet: the shape of an answer with nothing in it. */
export type Nothing = ReturnType<typeof nothingHere>;
