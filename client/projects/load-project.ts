import { computeCalibration, type CalibrationBand } from '../../domain/report/judges.ts';
import type { ReportDecision } from '../../domain/report/events.ts';
import type { ProjectMemory } from '../../domain/types/basic/memory.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { loadReport } from '../report/load-report.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import { listTaskPage } from '../sdk/task-page.ts';
import { buildTaskQuery } from '../tasks/task-filter.ts';

/** The memory of a project, and how people answered by how sure a result was. */
export interface ProjectView extends ProjectMemory {
  calibration: CalibrationBand[];
}

/** Reads what a project knows, with the calibration over its newest ended tasks. A task that does not answer counts for nothing. */
export async function loadProject(client: HeddleClient, project: string): Promise<ProjectView> {
  const memory = await client.project(project).memory();
  const states = ['completed', 'failed', 'cancelled'];
  const { items } = await listTaskPage(client.temporal, {
    query: buildTaskQuery({ states, project }),
    size: clientLimits.list.calibration,
    from: null,
  });
  const decisions: ReportDecision[] = [];
  // One after the other: each may have to be replayed.
  for (const { id } of items) {
    const loaded = await loadReport(client.task(id)).catch(() => undefined);
    decisions.push(...(loaded?.report.decisions ?? []));
  }
  return { ...memory, calibration: computeCalibration(decisions) };
}
