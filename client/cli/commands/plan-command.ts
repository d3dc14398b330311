import { resolve } from 'node:path';
import { isFile, loadGoal } from '../../plan-file/load-goal.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import { writePlanFile } from '../../plan-file/write-plan-file.ts';
import { checkIsGoal, planGoal } from '../../start/plan-goal.ts';
import { TaskConfig } from '../../start/task-config.ts';
import { renderPlan } from '../../terminal/render/render-plan.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { noteModels } from '../shared/note-models.ts';
import { onceAskedToStop } from '../shared/stop-request.ts';

export interface PlanOptions {
  output?: string;
  config?: string[];
}

/** `heddle plan GOAL`, in words or as a plan file without subtasks: shows the plan that `run` would make of it, and runs nothing. */
export async function planCommand(context: Context, goal: string, options: PlanOptions): Promise<number> {
  const { ports, output } = context;
  const { cwd, stdin } = ports;
  const config = new TaskConfig(ports, options.config);
  const load = isFile(goal, cwd) ? loadPlanFile : loadGoal;
  const loaded = await load(goal, { cwd, stdin, config: (place) => config.at(place) });
  checkIsGoal(loaded, goal);
  noteModels(context, await config.findModels(loaded));
  const { raw } = loaded;
  return withEndpoint(context, async (endpoint) => {
    const onWait = (text: string): void => output.note(plainLine(text));
    const plan = await untilStopped(context, (signal) => planGoal(endpoint, config, { raw, signal, onWait }));
    const file = options.output === undefined ? undefined : resolve(cwd, options.output);
    if (file !== undefined) await writePlanFile(plan, { raw, cwd, file });
    const { goal: planned, subtasks, estimate, degraded } = plan;
    if (output.json) output.data({ goal: planned, subtasks, estimate, degraded });
    else if (options.output !== undefined) output.print(options.output);
    else await output.foreign()(`${renderPlan(plan).join('\n')}\n`);
    return exits.done;
  });
}

async function untilStopped<T>({ ports }: Context, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const release = onceAskedToStop(ports, () => stop.abort());
  try {
    return await action(stop.signal);
  } finally {
    release();
  }
}
