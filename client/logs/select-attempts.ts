import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { checkSubtask } from '../start/check-subtask.ts';
import type { FilesPort } from '../ports/files.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** The outputs of a task that are asked for. */
export interface Selection {
  handle: TaskHandle;
  files: Pick<FilesPort, 'readOutput' | 'liveLog'>;
  matches: (record: AttemptView) => boolean;
  subtask: string | undefined;
  /** Said of an output that is not here. */
  elsewhere: string;
  /** The conversations of agents instead of what is printed. */
  transcript: boolean;
  /** True where nothing more will be printed: the task, or the subtask that was named, has ended. */
  over: boolean;
}

export interface SelectOptions {
  subtask: string | undefined;
  attempt: number | undefined;
  transcript?: boolean;
}

export function selectAttempts(
  files: Selection['files'],
  handle: TaskHandle,
  status: StatusView,
  { subtask, attempt, transcript = false }: SelectOptions,
): Selection {
  checkSubtask(status, subtask);
  return {
    handle,
    files,
    matches: (record) =>
      (subtask === undefined || record.subtask === subtask) && (attempt === undefined || record.attempt === attempt),
    subtask,
    elsewhere: formatElsewhere(status),
    transcript,
    over: status.endedAt !== null || status.subtasks.some(({ id, endedAt }) => id === subtask && endedAt !== null),
  };
}

const formatElsewhere = ({ host }: StatusView): string =>
  host === null ? 'its output is not on this machine' : `its output is not here; host ${host} has it`;
