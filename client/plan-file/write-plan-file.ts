import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { PlannedView } from '../../workflows/task/messages.ts';
import type { LoadedPlan } from './load-plan-text.ts';

/** Writes a plan that a model made as a file that `heddle run` takes: JSON where the file's name says so, else YAML. */
export async function writePlanFile(
  { executor, subtasks }: PlannedView,
  { raw, cwd, file }: { raw: LoadedPlan['raw']; cwd: string; file: string },
): Promise<void> {
  const plan = { ...buildHead(raw, cwd), ...(executor === undefined ? {} : { executor }), subtasks };
  await writeFile(file, file.endsWith('.json') ? `${JSON.stringify(plan, null, 2)}\n` : `${byModel}${stringify(plan)}`);
}

/** All that the goal's own file says beside subtasks. The workspace is written only where that is another folder. */
function buildHead({ workspace, ...head }: LoadedPlan['raw'], cwd: string): Record<string, unknown> {
  return { ...head, ...(workspace === resolve(cwd) ? {} : { workspace }) };
}

/** A plan file has the rights of the person who runs it. */
const byModel = '# A model made this plan. Read its verify commands before you run it: they run as your own.\n';
