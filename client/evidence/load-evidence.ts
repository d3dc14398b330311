import { readEvidencePage } from '../../domain/evidence/page.ts';
import type { EvidencePage, EvidenceRecord, MissingTarget } from '../../domain/types/basic/evidence.ts';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** The evidence of a task as `heddle evidence --json` prints it. */
export interface TaskEvidence {
  taskId: string;
  records: EvidenceRecord[];
  missing: (MissingTarget & { subtask: string })[];
}

export interface LoadedEvidence {
  pages: EvidencePage[];
  /** Subtasks whose evidence is not in the store of this machine, a sentence each. */
  gaps: string[];
}

/** Reads the newest evidence of each subtask, in the order of the plan. */
export async function loadPages(
  handle: Pick<TaskHandle, 'results' | 'stored'>,
  { status, attempts }: { status: StatusView; attempts: readonly AttemptView[] },
): Promise<LoadedEvidence> {
  const newest = new Map(
    attempts.flatMap(({ subtask, evidence }) => (evidence === undefined ? [] : [[subtask, evidence] as const])),
  );
  const tried = new Set(attempts.map(({ subtask }) => subtask));
  // Only a task that continues another one has results without attempts.
  if (status.subtasks.some(({ id, state }) => state === 'completed' && !tried.has(id)))
    for (const { id, evidence } of await handle.results()) if (evidence !== undefined) newest.set(id, evidence);
  const pages: EvidencePage[] = [];
  const gaps: string[] = [];
  for (const { id } of status.subtasks) {
    const ref = newest.get(id);
    if (ref === undefined) continue;
    const page = readEvidencePage(await handle.stored(ref));
    if (page === undefined) gaps.push(formatGap(id, status.host));
    else pages.push(page);
  }
  return { pages, gaps };
}

const formatGap = (subtask: string, host: string | null): string =>
  `The evidence of ${subtask} is not in the store of this machine${host === null ? '' : `; it was kept on ${host}`}`;

export const describeEvidence = (taskId: string, pages: readonly EvidencePage[]): TaskEvidence => ({
  taskId,
  records: pages.flatMap(({ records }) => records),
  missing: pages.flatMap(({ subtask, missing }) => missing.map((target) => ({ subtask, ...target }))),
});
