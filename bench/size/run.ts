import { stopwatch } from '../stopwatch.ts';
import type { Scope } from '../scope.ts';
import { measureSize, type SizeRun } from './measure.ts';
import { sizeSection } from './report.ts';

/** Measures tasks of several sizes, one after the other; as a section of the report. */
export async function benchSize({ sizes }: Scope): Promise<string> {
  const { report } = stopwatch();
  const runs: SizeRun[] = [];
  for (const count of sizes) {
    const run = await measureSize(count, report);
    report(`${(run.ms / 1000).toFixed(0)} s for ${count} subtasks`);
    runs.push(run);
  }
  return sizeSection(runs);
}
