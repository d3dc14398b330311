import { rootOfStore } from '../../../activities/home/home-layout.ts';
import { undoTask } from '../../../activities/workspace/undo/undo-task.ts';
import { loadPages } from '../../../client/evidence/load-evidence.ts';
import type { TaskHandle } from '../../../client/index.ts';
import type { EvidencePage } from '../../../domain/types/basic/evidence.ts';
import { readStored } from '../../../workers/ports/read-store.ts';
import type { Rig } from '../../support/rig.ts';

/** The evidence of a task's subtasks, as it is in the store of the rig. */
export async function pagesOf({ storeFolder }: Rig, task: TaskHandle): Promise<EvidencePage[]> {
  const status = await task.status();
  const attempts = await task.attempts();
  const handle = {
    results: () => task.results(),
    stored: (ref: Parameters<typeof readStored>[1]) => readStored(storeFolder, ref),
  };
  return (await loadPages(handle, { status, attempts })).pages;
}

/** Takes back what a task changed, as `heddle undo` does. */
export async function undoHere({ storeFolder }: Rig, { id }: Pick<TaskHandle, 'id'>): Promise<void> {
  const parts = { root: rootOfStore(storeFolder), environment: { PATH: process.env['PATH'] ?? '' } };
  await undoTask(parts, { task: id, subtask: null }, { ended: true });
}
