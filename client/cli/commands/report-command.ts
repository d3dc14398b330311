import { computeCalibration } from '../../../domain/report/judges.ts';
import { calibrationTable } from '../../report/judge-tables.ts';
import { describeArtifact } from '../../report/describe-artifact.ts';
import { loadReport } from '../../report/load-report.ts';
import { reportMarkdown, section } from '../../report/markdown.ts';
import { loadTaskChanges } from '../../report/task-changes.ts';
import { writeReport } from '../../report/write.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { withTask } from './find-task.ts';

export interface ReportOptions {
  /** Files to write instead of printing. */
  html?: string;
  markdown?: string;
  /** How people decided by confidence, instead of the report. */
  calibration?: boolean;
}

export function reportCommand(context: Context, task: string, options: ReportOptions): Promise<number> {
  const { output, ports } = context;
  return withTask(context, task, async (handle) => {
    const { report, status, missing } = await askToLook(() => loadReport(handle));
    for (const what of missing) output.note(`${what}; the report does not include them`);
    if (options.calibration === true) {
      const calibration = computeCalibration(report.decisions);
      if (output.json) output.data({ id: report.id, calibration, judges: report.judges });
      else output.print(section(calibrationTable(calibration)));
      return exits.done;
    }
    const changes = await loadTaskChanges(ports, report.id);
    const artifacts = (await ports.listArtifacts(report.id)).map(describeArtifact);
    const { cwd } = ports;
    const written = await writeReport(report, status.subtasks, { ...options, cwd, changes, now: Date.now() });
    const paths = Object.values(written);
    if (output.json)
      output.data({ ...report, changes: typeof changes === 'string' ? null : changes, artifacts, ...written });
    else if (paths.length > 0) output.print(...paths);
    else await output.foreign()(`${reportMarkdown(report, status.subtasks, changes)}\n`);
    return exits.done;
  });
}
