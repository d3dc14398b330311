import { setTimeout as sleep } from 'node:timers/promises';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { ChangedFile, TaskDiff } from '../../domain/types/basic/workspace.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { FilesPort } from '../ports/files.ts';

/** The files that a task changed, by the snapshots of this machine, and whatever undo leaves as it is. */
export interface TaskChanges {
  files: ChangedFile[];
  /** Each a name or a short phrase. */
  uncovered: string[];
}

/** Reads the changes of a task; a string says why they are not known here. */
export async function loadTaskChanges(files: Pick<FilesPort, 'diffTask'>, task: string): Promise<TaskChanges | string> {
  const waiting = new AbortController();
  const late = sleep(clientLimits.taskChanges, 'late' as const, { signal: waiting.signal, ref: false });
  late.catch(() => undefined);
  try {
    const result = await Promise.race([files.diffTask({ task, subtask: null }, { isInPlan: false }), late]);
    if (result === 'late') return 'the snapshots did not answer in time';
    if (result === undefined) return 'this machine has no snapshots of the task';
    return { files: result.diff.files, uncovered: listUncovered(result.diff) };
  } catch (error) {
    if (error instanceof HeddleError) return error.message;
    throw error;
  } finally {
    waiting.abort();
  }
}

function listUncovered({ outside, repositories, changedByOthers, gaps }: TaskDiff): string[] {
  return [
    ...outside.map(({ path }) => path),
    ...changedByOthers.map(({ path }) => `${path} (changed by others too)`),
    ...repositories.filter(({ state }) => state !== 'unsearched').map(({ path }) => `the repository ${path}`),
    ...gaps.map(({ subtask, moment }) => `the ${moment} of ${subtask ?? 'the task'} (no snapshot)`),
  ];
}
