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
