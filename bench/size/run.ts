import { planLimits } from '../../domain/source/limits.ts';
import { measureSize, type SizeRun } from './measure.ts';
import { sizeSection } from './report.ts';

/** Sizes that are compared, unless others are given. */
const sizes = [200, 2_000];
/** Enough for two new runs. */
const least = 50;

/** Measures tasks of these sizes, one after the other; as a section of the report. */
export async function benchSize(given: readonly string[]): Promise<string> {
  const counts = given.length === 0 ? sizes : given.map(Number);
  if (counts.some((count) => !Number.isInteger(count) || count < least || count > planLimits.maxSubtasks))
    throw new RangeError(`a size is a number of subtasks from ${least} to ${planLimits.maxSubtasks}`);
  const begun = performance.now();
  const say = (text: string): void => console.error(`${((performance.now() - begun) / 1000).toFixed(0)} s  ${text}`);
  const runs: SizeRun[] = [];
  for (const count of counts.toSorted((a, b) => a - b)) {
    const run = await measureSize(count, say);
    say(`${(run.ms / 1000).toFixed(0)} s for ${count} subtasks`);
    runs.push(run);
  }
  return sizeSection(runs);
}
