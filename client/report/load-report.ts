import { buildReport, type Report } from '../../domain/report/report.ts';
import { countEvidence } from '../../domain/evidence/count-evidence.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { loadPages, type LoadedEvidence } from '../evidence/load-evidence.ts';
import type { Stretch } from '../follow/read-pages.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { formatMissing } from '../follow/format-missing.ts';

export interface LoadedReport {
  report: Report;
  status: StatusView;
  /** Facts that the report does not include, a sentence each. */
  missing: string[];
}

/** The report of a task, with what older runs of it moved to the store. */
export async function loadReport(
  handle: Pick<TaskHandle, 'status' | 'allAttempts' | 'allEvents' | 'results' | 'stored'>,
): Promise<LoadedReport> {
  // One after the other: see `askWorker`.
  const status = await handle.status();
  // Without a worker nothing more is known of a task that the server ended.
  const isBare = status.endedAt !== null && status.lastEventId === 0;
  const attempts = isBare ? nothing : await handle.allAttempts();
  const events = isBare ? nothing : await handle.allEvents();
  const { host } = status;
  const evidence = isBare ? noEvidence : await loadPages(handle, { status, attempts: attempts.items });
  const missing = [
    ...events.missing.map((gap) => formatMissing('event', gap, host)),
    ...attempts.missing.map((gap) => formatMissing('attempt', gap, host)),
    ...evidence.gaps,
  ];
  const report = buildReport(status, attempts.items, events.items);
  const figures = countEvidence(evidence.pages);
  return { report: figures === undefined ? report : { ...report, evidence: figures }, status, missing };
}

const noEvidence: LoadedEvidence = { pages: [], gaps: [] };
const nothing: Stretch<never> = { items: [], missing: [] };
