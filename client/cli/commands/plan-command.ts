import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { PlanInput } from '../../../domain/schema/plan-schema.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { formatEstimate } from '../../../domain/planner/format-estimate.ts';
import { planOnlyOfGoals } from '../../../domain/planner/planner-input.ts';
import { planError, valueAt } from '../../../domain/input/problem.ts';
import type { PlannedView } from '../../../workflows/task/messages.ts';
import { isFile, loadGoal } from '../../plan-file/load-goal.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { TaskConfig } from '../../start/task-config.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { onceAskedToStop } from '../shared/stop-request.ts';
import { checkWorker } from './run-command.ts';

export interface PlanOptions {
  output?: string;
  config?: string[];
}

/** `heddle plan GOAL`, in words or as a plan file without subtasks: the plan that `run` would make of it, and nothing is run. */
export async function planCommand(context: Context, goal: string, options: PlanOptions): Promise<number> {
  const { ports, output } = context;
  const { cwd, stdin } = ports;
  const config = new TaskConfig(ports, options.config);
  const load = isFile(goal, cwd) ? loadPlanFile : loadGoal;
  const { raw, plan: given } = await load(goal, { cwd, stdin, config: (place) => config.at(place) });
  if (given.subtasks.length > 0) throw planError([planOnlyOfGoals], goal);
  return withEndpoint(context, async (endpoint) => {
    await checkWorker(endpoint);
    const input = { ...config.buildInput(raw as PlanInput, endpoint), planOnly: true };
    const plan = await waitForPlan(() => endpoint.client.start(input), ports);
    if (options.output !== undefined) await save(plan, buildHead(raw, cwd), resolve(cwd, options.output));
    const { goal: planned, subtasks, estimate, degraded } = plan;
    if (output.json) output.data({ goal: planned, subtasks, estimate, degraded });
    else if (options.output !== undefined) output.print(options.output);
    else await output.foreign()(`${formatPlan(plan).join('\n')}\n`);
    return exits.done;
  });
}

/** Nobody else waits for the plan: with whoever does, planning ends, also when it was only just being started. */
async function waitForPlan(start: () => Promise<TaskHandle>, ports: Context['ports']): Promise<PlannedView> {
  const stop = new AbortController();
  const release = onceAskedToStop(ports, () => stop.abort());
  try {
    const handle = await start();
    const cancel = (): void => void handle.cancel().catch(() => undefined);
    if (stop.signal.aborted) cancel();
    else stop.signal.addEventListener('abort', cancel);
    const { plan } = await handle.result();
    if (plan === undefined) throw new HeddleError({ code: 'INTERNAL', message: 'The worker gave no plan back' });
    return plan;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new HeddleError({ code: 'INTERRUPTED', message: 'Stopped: there is no plan, and nothing has run' });
  } finally {
    release();
  }
}

/** What else a plan file says. Where it runs is written only where that is elsewhere. */
function buildHead({ workspace, ...head }: Record<string, unknown>, cwd: string): Record<string, unknown> {
  return { ...head, ...(workspace === resolve(cwd) ? {} : { workspace }) };
}

/** As a plan file that `heddle run` takes. */
async function save({ executor, subtasks }: PlannedView, head: Record<string, unknown>, file: string): Promise<void> {
  const plan = { ...head, ...(executor === undefined ? {} : { executor }), subtasks };
  await writeFile(file, file.endsWith('.json') ? `${JSON.stringify(plan, null, 2)}\n` : `${byModel}${stringify(plan)}`);
}

/** A plan file is the word of whoever runs it. */
const byModel = '# A model made this plan. Read its verify commands before you run it: they run as your own.\n';

function formatPlan({ subtasks, estimate, degraded }: PlannedView): string[] {
  return [
    ...(degraded ? ['No plan could be made: the whole goal is one subtask.', ''] : []),
    ...subtasks.flatMap((subtask) => {
      const on: unknown = valueAt(subtask, ['dependsOn']);
      const after = Array.isArray(on) && on.length > 0 ? `  (after ${on.join(', ')})` : '';
      return [`${textAt(subtask, 'id')}${after}`, `  ${textAt(subtask, 'description')}`];
    }),
    '',
    `A guess: ${formatEstimate(estimate)}.`,
  ];
}

function textAt(subtask: unknown, key: string): string {
  const value = valueAt(subtask, [key]);
  return typeof value === 'string' ? value : '';
}
