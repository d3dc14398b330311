import { formatCount } from '../../../domain/text/text.ts';
import type { OthersFile, TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { diffTask } from '../../workspace/diff-task.ts';
import type { Nothing, WithClient } from '../../workspace/task-state.ts';
import { outsideReasons } from '../../workspace/outside-reasons.ts';
import { undoTask } from '../../workspace/undo-task.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { renderTable } from '../../terminal/render/table.ts';

export interface DiffOptions {
  stat?: boolean;
}

/** `heddle diff`: what a task or subtask changed. */
export async function diffCommand(
  context: Context,
  given: string,
  subtask: string | undefined,
  { stat = false }: DiffOptions,
): Promise<number> {
  const { output } = context;
  const result = await diffTask(use(context), { task: await resolveTaskId(context, given), subtask });
  if ('nothing' in result) return printNothing(context, result.nothing);
  const { diff, patch } = result;
  if (output.json) output.data(diff);
  else if (stat) output.print(...statLines(context, diff));
  else await output.foreign()(patch);
  noteRepositories(context, diff);
  noteUncovered(context, diff);
  noteOthers(context, diff, 'not its own');
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
  const { output } = context;
  const done = await undoTask(use(context), { task: await resolveTaskId(context, given), subtask }, { dryRun, force });
  if ('nothing' in done) return printNothing(context, { ...done.nothing, dryRun: false });
  if (output.json) output.data(done.answer);
  else output.print(...undoLines(done.answer));
  noteUncovered(context, done.answer);
  noteOthers(context, done.answer, 'left as it is');
  return exits.done;
}

function use(context: Context) {
  const withClient: WithClient = (action) => withEndpoint(context, ({ client }) => action(client));
  const onUnknown = (reason: string): void =>
    context.output.note(`The state of the task is unknown: ${plainLine(reason)}`);
  return { files: context.ports, withClient, onUnknown };
}

async function resolveTaskId(context: Context, given: string): Promise<string> {
  if (given !== 'latest') return given;
  return withEndpoint(context, async ({ client }) => (await client.find('latest')).id);
}

function printNothing({ output }: Context, nothing: Nothing & { dryRun?: boolean }): number {
  if (output.json) output.data(nothing);
  else output.note('Nothing of the task has run yet, so nothing was changed.');
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
    `${dryRun ? 'Would undo' : 'Undid'} ${what}: ${formatCount(files.length, 'file')}.`,
    ...files.map(({ path, action }) => `  ${(dryRun ? verbs[action] : action).padEnd(9)} ${plainLine(path)}`),
  ];
}

/** Git would have run what was removed, also for the reader of this. */
function noteRepositories({ output }: Context, { repositories }: TaskDiff): void {
  for (const { path, state, by, removed } of repositories) {
    if (state === 'unsearched') {
      output.note('repositories: not all folders were searched for new ones; look before you use git here');
      continue;
    }
    const taken = removed.length === 0 ? '' : `; removed from it: ${removed.map(plainLine).join(', ')}`;
    output.note(`repository: ${plainLine(path)} (${state} by ${plainLine(by)}${taken})`);
  }
}

/** Notes on changes that the answer does not cover. */
function noteUncovered({ output }: Context, { gaps, outside }: Pick<TaskDiff, 'gaps' | 'outside'>): void {
  for (const { subtask, attempt, moment, reason } of gaps) {
    output.note(`not covered: the ${moment} of ${subtask ?? 'the task'}, attempt ${attempt}: ${plainLine(reason)}`);
  }
  for (const { path, why } of outside) output.note(`outside: ${plainLine(path)} (${outsideReasons[why]})`);
}

function noteOthers({ output }: Context, { changedByOthers }: Pick<TaskDiff, 'changedByOthers'>, label: string): void {
  for (const file of changedByOthers) output.note(`${label}: ${plainLine(file.path)} (${explainOthers(file)})`);
}

function explainOthers({ during, shared }: OthersFile): string {
  const ran = during.map(plainLine).join(' and ');
  if (!shared) return `changed by someone else while ${ran} ran`;
  return `changed by ${ran} and by someone else while ${during.length === 1 ? 'it' : 'they'} ran`;
}
