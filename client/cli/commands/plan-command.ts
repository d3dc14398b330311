import { resolve } from 'node:path';
import { isFile, loadGoal } from '../../plan-file/load-goal.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import { followsProcess, loadWithProcess } from '../../plan-file/load-with-process.ts';
import type { LoadedPlan } from '../../plan-file/load-plan-text.ts';
import type { Ports } from '../../ports/ports.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
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
  process?: string;
  set?: string[];
  output?: string;
  config?: string[];
}

/** `heddle plan GOAL`, in words or as a plan file without subtasks: shows the plan that `run` would make of it, and runs nothing. */
export async function planCommand(context: Context, goal: string | undefined, options: PlanOptions): Promise<number> {
  const { ports, output } = context;
  const { cwd } = ports;
  const config = new TaskConfig(ports, options.config);
  const loaded = await config.followProcess(await load(ports, goal, options, config));
  if (!followsProcess(loaded)) checkIsGoal(loaded, goal ?? 'the goal');
  else if (options.output !== undefined) throw noFileOfProcess();
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

/** A single word is a goal here, where it names no file. */
function load(
  ports: Ports,
  goal: string | undefined,
  { process, set = [] }: PlanOptions,
  config: TaskConfig,
): Promise<LoadedPlan> {
  const { cwd, stdin, readProcessFile } = ports;
  const reading = { cwd, stdin, config: (place: Parameters<TaskConfig['at']>[0]) => config.at(place) };
  if (process !== undefined || set.length > 0 || goal === undefined)
    return loadWithProcess(goal, { ...reading, readProcessFile, process, set });
  return isFile(goal, cwd) ? loadPlanFile(goal, reading) : loadGoal(goal, reading);
}

/** Its commands get the values of inputs from the process: a plan file has no place for them. */
const noFileOfProcess = (): HeddleError =>
  new HeddleError({
    code: 'USAGE',
    message: 'A plan of a process cannot be written as a plan file',
    where: '--output',
    hint: 'Leave --output out to look at the plan; copy the process with `heddle process new NAME --from OTHER` to change it.',
  });

async function untilStopped<T>({ ports }: Context, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const release = onceAskedToStop(ports, () => stop.abort());
  try {
    return await action(stop.signal);
  } finally {
    release();
  }
}
