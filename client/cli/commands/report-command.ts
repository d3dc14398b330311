import { loadReport } from '../../report/load-report.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { writeReport } from '../../report/write.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { looking, withTask } from './find-task.ts';

export interface ReportOptions {
  /** Files to write instead of printing. */
  page?: string;
  markdown?: string;
}

export function reportCommand(context: Context, task: string, options: ReportOptions): Promise<number> {
  const { output, ports } = context;
  return withTask(context, task, async (handle) => {
    const { report, status, missing } = await looking(() => loadReport(handle));
    for (const what of missing) output.note(`${what}; the report does not include them`);
    const written = await writeReport(report, status.subtasks, { ...options, cwd: ports.cwd, now: Date.now() });
    const paths = Object.values(written);
    if (output.json) output.data({ ...report, ...written });
    else output.print(...(paths.length > 0 ? paths : [reportMarkdown(report, status.subtasks)]));
    return exits.done;
  });
}
