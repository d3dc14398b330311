import { HeddleError } from '../../../domain/heddle-error.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { StatusView } from '../../../domain/task/status.ts';
import { sayCount, sayList } from '../../../domain/text/text.ts';
import type { TaskDiff, UndoAnswer } from '../../../domain/model/workspace.ts';
import type { HeddleClient } from '../../heddle-client.ts';
import type { TaskHandle } from '../../task-handle.ts';
import { withEndpoint, type Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { renderTable } from '../render/table.ts';
import { plainLine } from '../render/terminal-text.ts';

export interface DiffOptions {
  stat?: boolean;
}

/** `heddle diff`: what a task or subtask changed. The snapshots are on this machine: no server is needed for a task that they know. */
export async function diffCommand(
  context: Context,
  given: string,
  subtask: string | undefined,
  { stat = false }: DiffOptions,
): Promise<number> {
  const { ports, output } = context;
  const task = given === 'latest' ? await latest(context) : given;
  const found = await ports
    .diffTask({ task, subtask: subtask ?? null }, { subtaskKnown: false })
    .catch(async (error: unknown) => {
      // A subtask of the plan that has not run has changed nothing.
      if (!(error instanceof HeddleError) || error.code !== 'SUBTASK_NOT_FOUND') throw error;
      const status = await statusOf(context, task);
      if (status === undefined) throw error;
      checkSubtask(status, subtask);
      return ports.diffTask({ task, subtask: subtask ?? null }, { subtaskKnown: true });
    });
  if (found === undefined) return sayNothingHere(context, task, subtask, 'diff');
  const { diff, patch } = found;
  if (output.json) output.data(diff);
  else if (stat) output.print(...statLines(context, diff));
  else await output.raw(patch);
  sayRest(context, diff);
  return exits.done;
}

export interface UndoOptions {
  dryRun?: boolean;
  force?: boolean;
}

/** `heddle undo`: brings the files back to how they were before a task or subtask changed them. */
export async function undoCommand(
  context: Context,
  given: string,
  subtask: string | undefined,
  { dryRun = false, force = false }: UndoOptions,
): Promise<number> {
  const { ports, output } = context;
  const task = given === 'latest' ? await latest(context) : given;
  const status = await statusOf(context, task);
  if (status !== undefined) {
    checkSubtask(status, subtask);
    refuseRunning(status, subtask);
  }
  const known = status !== undefined;
  const options = { dryRun, force, ended: known, subtaskKnown: known };
  const answer = await ports.undoTask({ task, subtask: subtask ?? null }, options);
  if (answer === undefined) return sayNothingHere(context, task, subtask, 'undo', status);
  if (output.json) output.data(answer);
  else output.print(...undoLines(answer));
  sayRest(context, answer);
  return exits.done;
}

async function latest(context: Context): Promise<string> {
  return withEndpoint(context, async ({ client }) => (await client.find('latest')).id);
}

/** Undefined when there is no server, no worker or no such task: then the snapshots alone decide. */
async function statusOf(context: Context, task: string): Promise<StatusView | undefined> {
  try {
    return await withEndpoint(context, async ({ client }) => {
      const handle = client.task(task);
      return handle.status().catch(async (error: unknown) => {
        if (error instanceof HeddleError && error.code === 'NO_WORKER') await refuseOpen(client, handle);
        throw error;
      });
    });
  } catch (error) {
    if (!(error instanceof HeddleError) || error.code === 'TASK_RUNNING') throw error;
    if (error.code !== 'TASK_NOT_FOUND')
      context.output.note(`The task's state is not known: ${plainLine(error.message)}`);
    return undefined;
  }
}

/** Without a worker the server still knows whether the task is open; it would go on as soon as a worker comes. */
async function refuseOpen(client: HeddleClient, { id, workflowId }: TaskHandle): Promise<void> {
  const open = await client.list(`WorkflowId = '${workflowId}' AND ExecutionStatus = 'Running'`);
  if (open.length > 0) throw running(`The task ${id} has not ended, and no worker answers`, id);
}

const running = (message: string, id: string): HeddleError =>
  new HeddleError({
    code: 'TASK_RUNNING',
    message,
    hint: `Follow it with \`heddle watch ${id}\`, or cancel it first.`,
  });

function checkSubtask({ subtasks }: StatusView, subtask: string | undefined): void {
  const ids = subtasks.map(({ id }) => id);
  if (subtask === undefined || ids.includes(subtask)) return;
  const meant = nearest(subtask, ids);
  throw new HeddleError({
    code: 'SUBTASK_NOT_FOUND',
    message: `There is no subtask ${subtask}`,
    hint: meant === undefined ? `Subtasks: ${sayList(ids, 20)}.` : `Did you mean ${meant}?`,
  });
}

function refuseRunning({ id, endedAt, subtasks }: StatusView, subtask: string | undefined): void {
  const runs = subtasks.some((each) => each.id === subtask && each.state === 'running');
  if (subtask === undefined ? endedAt !== null : !runs) return;
  throw running(subtask === undefined ? `The task ${id} has not ended` : `${subtask} of the task ${id} runs`, id);
}

/** This machine has no snapshots of the task: there is none, it has changed nothing, or its workspace is elsewhere. */
async function sayNothingHere(
  context: Context,
  task: string,
  subtask: string | undefined,
  verb: 'diff' | 'undo',
  asked?: StatusView,
): Promise<number> {
  const status = asked ?? (await withEndpoint(context, ({ client }) => client.task(task).status()));
  checkSubtask(status, subtask);
  if (status.subtasks.some(({ attempts }) => attempts > 0)) {
    throw new HeddleError({
      code: 'SNAPSHOTS_ELSEWHERE',
      message: `This machine has no snapshots of the task ${task}; its workspace is on the host ${status.host ?? '?'}`,
      where: status.workspace ?? '',
      hint: `Run \`heddle ${verb} ${task}\` there, with the same HEDDLE_HOME as its worker.`,
    });
  }
  const nothing = {
    taskId: task,
    subtask: subtask ?? null,
    workspace: status.workspace,
    files: [],
    gaps: [],
    outside: [],
  };
  if (context.output.json) context.output.data(verb === 'undo' ? { ...nothing, dryRun: false } : nothing);
  else context.output.note('Nothing of the task has run yet, so nothing was changed.');
  return exits.done;
}

function statLines({ output }: Context, { files }: TaskDiff): string[] {
  const rows = files.map(({ path, state, by, sure, binary, added, removed }) => ({
    cells: [
      state,
      binary ? 'binary' : `+${added} -${removed}`,
      sure ? by.join(', ') : `${by.join(' or ')}, perhaps others`,
      plainLine(path),
    ],
  }));
  return rows.length === 0 ? ['Nothing was changed.'] : renderTable(rows, output.width, output.paint);
}

function undoLines({ files, dryRun, taskId, subtask }: UndoAnswer): string[] {
  const what = subtask === null ? `the task ${taskId}` : `${subtask} of the task ${taskId}`;
  if (files.length === 0) return [`There is nothing to undo of ${what}.`];
  const verbs = { restored: 'restore', removed: 'remove', mode: 'set mode' } as const;
  return [
    `${dryRun ? 'Would undo' : 'Undid'} ${what}: ${sayCount(files.length, 'file')}.`,
    ...files.map(({ path, action }) => `  ${(dryRun ? verbs[action] : action).padEnd(9)} ${plainLine(path)}`),
  ];
}

/** What the answer does not cover. */
function sayRest({ output }: Context, { gaps, outside }: Pick<TaskDiff, 'gaps' | 'outside'>): void {
  for (const { subtask, attempt, moment, reason } of gaps) {
    output.note(`not covered: the ${moment} of ${subtask ?? 'the task'}, attempt ${attempt}: ${plainLine(reason)}`);
  }
  const words = {
    large: 'too large',
    unreadable: 'not readable',
    'was-ignored': 'was there before, and ignored',
  } as const;
  for (const { path, why } of outside) output.note(`outside: ${plainLine(path)} (${words[why]})`);
}
