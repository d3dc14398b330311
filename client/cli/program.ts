import { Command, InvalidArgumentError, Option } from 'commander';
import { decideCommand, type DecideOptions } from './commands/answer-commands.ts';
import { configCommand, initCommand } from './commands/config-commands.ts';
import type { Context } from './context.ts';
import { cancelCommand, pauseCommand, resumeCommand, steerCommand } from './commands/direct-commands.ts';
import { logsCommand, type LogsOptions } from './commands/logs-command.ts';
import {
  inboxCommand,
  listCommand,
  reportCommand,
  statusCommand,
  watchCommand,
  type ReportOptions,
} from './commands/look-commands.ts';
import {
  memoryCommand,
  memoryExportCommand,
  memoryForgetCommand,
  memoryImportCommand,
  memorySetCommand,
} from './commands/memory-commands.ts';
import { replayCommand, type ReplayOptions } from './commands/replay-command.ts';
import { retryCommand, type RetryCommandOptions } from './commands/retry-command.ts';
import { runCommand, type RunOptions } from './commands/run-command.ts';
import { pruneCommand, type PruneOptions } from './commands/prune-command.ts';
import {
  doctorCommand,
  downCommand,
  upCommand,
  workerCommand,
  type WorkerOptions,
} from './commands/service-commands.ts';
import { readVersion } from './version.ts';
import { diffCommand, undoCommand, type DiffOptions, type UndoOptions } from './commands/workspace-commands.ts';

export interface ProgramOptions {
  context: Context;
  /** The exit code of the command that ran. */
  onExit: (code: number) => void;
  /** What commander itself prints: help and version. */
  write: (text: string) => void;
}

const afterHelp = `
TASK is the id of a task, or \`latest\`.

Exit codes: 0 done, 1 the task failed or was cancelled, 2 bad usage, plan or config,
3 a person is needed (--exit-on-decision), 4 no such task or decision,
5 Temporal or the worker cannot be reached, 130 interrupted.`;

const keysHelp = `
On a terminal open questions are asked below the plan: arrows or 1-9 choose,
Enter answers, Tab walks through several, Esc puts one off. HEDDLE_PLAIN=1
prints plain lines instead, and asks in them.`;

const signalHelp = 'send a Signal: nothing is answered, but it waits for a worker';

const metricsHelp = 'serve metrics for Prometheus there, such as 127.0.0.1:9464';

/** All commands with their arguments. What they do is in the files that they are imported from. */
export function createProgram(options: ProgramOptions): Command {
  const program = new Command('heddle')
    .description('Runs agent tasks as durable Temporal workflows.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--json', 'print JSON: one document, or one line per event for run and watch')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', afterHelp)
    .configureOutput({ writeOut: options.write, writeErr: options.write, outputError: () => undefined })
    .exitOverride();
  addRunning(program, options);
  addRetrying(program, options);
  addLooking(program, options);
  addAnswering(program, options);
  addUndoing(program, options);
  addRemembering(program, options);
  addOperating(program, options);
  return program;
}

function addRunning(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Run:');
  program
    .command('run')
    .description('start a task and follow it to its end; Ctrl-C detaches')
    .argument('<plan>', 'plan file, YAML or JSON; - for stdin')
    .option('--id <id>', 'id of the task; a new one by default')
    .addOption(configOption())
    .option('--detach', 'start it and return')
    .option('--exit-on-decision', 'exit with 3 when nothing can go on without a person')
    .option('--share-workspace', 'work in the folder beside another task that holds it')
    .addHelpText('after', keysHelp)
    .action(async (plan: string, given: RunOptions) => onExit(await runCommand(context, plan, given)));
  program
    .command('watch')
    .description('follow a task to its end; exits as run does')
    .argument('<task>')
    .option('--since <n>', 'only the events after this number', wholeNumber)
    .option('--exit-on-decision', 'exit with 3 when nothing can go on without a person')
    .action(async (task: string, given: { since?: number; exitOnDecision?: boolean }) =>
      onExit(await watchCommand(context, task, given)),
    );
}

function addRetrying(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('retry')
    .description('start an ended task again, reusing what is finished and unchanged')
    .argument('<task>')
    .option('--dry-run', 'only say what would be reused and what would run')
    .option('--from <subtask>', 'run this subtask and all behind it again')
    .option('--plan <file>', 'another plan than the one it was started with')
    .addOption(configOption())
    .option('--exit-on-decision', 'exit with 3 when nothing can go on without a person')
    .action(async (task: string, given: RetryCommandOptions) => onExit(await retryCommand(context, task, given)));
}

function addRemembering(program: Command, { context, onExit }: ProgramOptions): void {
  const memory = program
    .command('memory')
    .description('what a project knows of failures and what fixed them')
    .argument('[project]', 'the project of the current folder by default')
    .action(async (project: string | undefined) => onExit(await memoryCommand(context, project)));
  memory
    .command('forget')
    .description('forget a signature and its standing answer')
    .argument('<project>')
    .argument('<signature>')
    .action(async (project: string, signature: string) =>
      onExit(await memoryForgetCommand(context, project, signature)),
    );
  memory
    .command('set')
    .description('correct what fixes a signature')
    .argument('<project>')
    .argument('<signature>')
    .option('--rung <n>', 'the rung that fixes it', wholeNumber)
    .option('--hint <text>', 'what helps')
    .action(async (project: string, signature: string, given: { rung?: number; hint?: string }) =>
      onExit(await memorySetCommand(context, project, signature, given)),
    );
  memory
    .command('export')
    .description('print the memory as JSON')
    .argument('<project>')
    .action(async (project: string) => onExit(await memoryExportCommand(context, project)));
  memory
    .command('import')
    .description('add the memory that export wrote')
    .argument('<project>')
    .argument('<file>')
    .action(async (project: string, file: string) => onExit(await memoryImportCommand(context, project, file)));
}

function addLooking(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Look:');
  program
    .command('status')
    .description('what a task does now, or why it waits')
    .argument('<task>')
    .action(async (task: string) => onExit(await statusCommand(context, task)));
  program
    .command('list')
    .description('all tasks, newest first')
    .action(async () => onExit(await listCommand(context)));
  program
    .command('logs')
    .description('what the programs printed, attempt by attempt')
    .argument('<task>')
    .argument('[subtask]')
    .option('-f, --follow', 'go on until the task, or the subtask, has ended')
    .option('--attempt <n>', 'only this attempt', wholeNumber)
    .action(async (task: string, subtask: string | undefined, given: LogsOptions) =>
      onExit(await logsCommand(context, task, subtask, given)),
    );
  program
    .command('report')
    .description('what was tried, what failed, what was decided; as Markdown')
    .argument('<task>')
    .option('--page <file>', 'write it as one HTML file with charts')
    .option('--markdown <file>', 'write the Markdown to a file')
    .action(async (task: string, given: ReportOptions) => onExit(await reportCommand(context, task, given)));
}

/** Of the group above: `diff` looks, `undo` directs. */
function addUndoing(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('diff')
    .description('what a task or subtask changed in the workspace')
    .argument('<task>')
    .argument('[subtask]')
    .option('--stat', 'only which files, how, and by whom')
    .action(async (task: string, subtask: string | undefined, given: DiffOptions) =>
      onExit(await diffCommand(context, task, subtask, given)),
    );
  program
    .command('undo')
    .description('bring files back to how they were before a task or subtask')
    .argument('<task>')
    .argument('[subtask]')
    .option('--dry-run', 'only say what would be restored')
    .option('--force', 'also files that others may have changed')
    .action(async (task: string, subtask: string | undefined, given: UndoOptions) =>
      onExit(await undoCommand(context, task, subtask, given)),
    );
}

function addAnswering(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Answer and direct:');
  program
    .command('inbox')
    .description('what waits for a person, in all tasks')
    .action(async () => onExit(await inboxCommand(context)));
  program
    .command('decide')
    .description('answer a question of a task')
    .argument('<task>')
    .argument('<decision>')
    .argument('<option>')
    .option('--instruction <text>', 'what to do differently; `fix` needs it')
    .option('--value <json>', 'the new value, for `edit` and `raise`')
    .addOption(new Option('--scope <scope>', 'what the answer holds for').choices(['once', 'signature']))
    .option('--by <name>', 'who answers; your user name by default')
    .option('--signal', signalHelp)
    .action(async (task: string, decision: string, option: string, given: DecideOptions) =>
      onExit(await decideCommand(context, { task, decision, option }, given)),
    );
  program
    .command('steer')
    .description('give an instruction to every attempt that starts later')
    .argument('<task>')
    .argument('<text>')
    .option('--subtask <id>', 'only for this subtask')
    .option('--signal', signalHelp)
    .action(async (task: string, text: string, given: { subtask?: string; signal?: boolean }) =>
      onExit(await steerCommand(context, task, text, given)),
    );
  program
    .command('pause')
    .description('start nothing new; what runs finishes')
    .argument('<task>')
    .option('--reason <text>', 'shown wherever the task is shown')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { reason?: string; signal?: boolean }) =>
      onExit(await pauseCommand(context, task, given)),
    );
  program
    .command('resume')
    .description('go on after a pause')
    .argument('<task>')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { signal?: boolean }) => onExit(await resumeCommand(context, task, given)));
  program
    .command('cancel')
    .description('stop a task; what is done is kept')
    .argument('<task>')
    .option('--wait', 'wait until it has ended')
    .action(async (task: string, given: { wait?: boolean }) => onExit(await cancelCommand(context, task, given)));
}

function addOperating(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Operate:').helpCommand('help [command]', 'print the help of a command');
  program
    .command('up')
    .description('run the local service: server (unless one is given) and worker')
    .option('--background', 'start it and return')
    .option('--metrics <address>', metricsHelp)
    .action(async (given: { background?: boolean; metrics?: string }) => onExit(await upCommand(context, given)));
  program
    .command('down')
    .description('stop the local service')
    .option('--force', 'also while a task is open; it goes on at the next start')
    .action(async (given: { force?: boolean }) => onExit(await downCommand(context, given)));
  program
    .command('worker')
    .description('run a worker alone')
    .option('--workflows-only', 'do no activity: other workers must')
    .option('--metrics <address>', metricsHelp)
    .option('--build-id <id>', 'version of this code; tasks stay with the one that they began with')
    .action(async (given: WorkerOptions) => onExit(await workerCommand(context, given)));
  program
    .command('replay')
    .description('check whether open tasks can go on with this code, before it is deployed')
    .argument('[history...]', 'history files, or tasks')
    .option('--open', 'all open tasks and project memories of the queue')
    .option('--bundle <file>', 'the workflow code of another build: its workflow-bundle.js')
    .action(async (targets: string[], given: ReplayOptions) => onExit(await replayCommand(context, targets, given)));
  program
    .command('doctor')
    .description('check that everything a task needs is there')
    .action(async () => onExit(await doctorCommand(context)));
  program
    .command('prune')
    .description('remove what is old from the home; never what an open task refers to')
    .option('--older-than <duration>', 'for everything, instead of 30d (output and logs) and 7d (traces of attempts)')
    .option('--max-size <size>', 'cut the store down to this size, oldest first; 20GB by default')
    .option('--dry-run', 'only say what would be removed')
    .action(async (given: PruneOptions) => onExit(await pruneCommand(context, given)));
  program
    .command('init')
    .description('write a heddle.toml with every setting in it, commented')
    .option('--force', 'also over one that is there')
    .action(async (given: { force?: boolean }) => onExit(await initCommand(context, given)));
  program
    .command('config')
    .description('each setting, and where its value came from')
    .addOption(configOption())
    .action(async (given: { config?: string[] }) => onExit(await configCommand(context, given)));
}

const configOption = (): Option =>
  new Option('-c, --config <key=value>', 'a setting of heddle.toml for this call; can be repeated').argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
