import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Report } from '../../domain/report/report.ts';
import type { SubtaskView } from '../../domain/views/task-status.ts';
import type { Uncovered } from '../workspace/uncovered.ts';
import { reportMarkdown } from './markdown.ts';
import { reportPage } from './page.ts';

interface WriteOptions {
  html?: string;
  markdown?: string;
  cwd: string;
  now: number;
  uncovered?: Uncovered;
}

/** Writes the files that were asked for; says where they are. */
export async function writeReport(
  report: Report,
  subtasks: readonly SubtaskView[],
  options: WriteOptions,
): Promise<{ page?: string; markdown?: string }> {
  const written: { page?: string; markdown?: string } = {};
  if (options.html !== undefined) {
    written.page = resolve(options.cwd, options.html);
    await write(written.page, reportPage(report, subtasks, options));
  }
  if (options.markdown !== undefined) {
    written.markdown = resolve(options.cwd, options.markdown);
    await write(written.markdown, `${reportMarkdown(report, subtasks, options.uncovered)}\n`);
  }
  return written;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new HeddleError({
      code: 'USAGE',
      message: `The report cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      where: file,
      hint: 'Name a file in a folder that exists and that you may write to.',
    });
  }
}
