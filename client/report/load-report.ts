import { buildReport, type Report } from '../../domain/report/report.ts';
import type { StatusView } from '../../domain/task/status.ts';
import type { TaskHandle } from '../task-handle.ts';
import { readArchived } from './archived-events.ts';
import type { Ports } from '../cli/ports.ts';

export interface LoadedReport {
  report: Report;
  status: StatusView;
  /** Events that the report does not know of. */
  missing: { from: number; to: number }[];
}

/** The report of a task with the events that older runs moved to the store. */
export async function loadReport(ports: Pick<Ports, 'readArchive'>, handle: TaskHandle): Promise<LoadedReport> {
  // One after the other: see `askWorker`.
  const status = await handle.status();
  const attempts = await handle.attempts();
  const events = await handle.events();
  const first = events[0]?.id ?? status.lastEventId + 1;
  const archived =
    first <= 1 ? { events: [], missing: [] } : await readArchived(ports, handle, { after: 0, before: first });
  const report = buildReport(status, attempts, [...archived.events, ...events]);
  return { report, status, missing: archived.missing };
}
