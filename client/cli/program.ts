import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from './context.ts';
import type { DecideOptions } from './commands/answer-commands.ts';
import type { LogsOptions } from './commands/logs-command.ts';
import type { ReportOptions } from './commands/report-command.ts';
import type { ReplayOptions } from './commands/replay-command.ts';
import type { RetryCommandOptions } from './commands/retry-command.ts';
import type { RunOptions } from './commands/run-command.ts';
import type { PruneOptions } from './commands/prune-command.ts';
import type { WorkerOptions } from './commands/service-commands.ts';
import type { DiffOptions, UndoOptions } from './commands/workspace-commands.ts';
import { readVersion } from './version.ts';

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

const signalHelp = 'send a Signal: it waits for a worker, but nothing is returned';

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
  addOperating(program, options);
  addRemembering(program, options);
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
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .option('--share-workspace', 'share the workspace with another task that is using it')
    .addHelpText('after', keysHelp)
    .action(async (plan: string, given: RunOptions) =>
      onExit(await (await import('./commands/run-command.ts')).runCommand(context, plan, given)),
    );
  program
    .command('watch')
    .description('follow a task to its end; same exit codes as run')
    .argument('<task>')
    .option('--since <n>', 'only the events after this number', wholeNumber)
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .action(async (task: string, given: { since?: number; exitOnDecision?: boolean }) =>
      onExit(await (await import('./commands/watch-command.ts')).watchCommand(context, task, given)),
    );
}

function addRetrying(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('retry')
    .description('start an ended task again, reusing what is finished and unchanged')
    .argument('<task>')
    .option('--dry-run', 'only say what would be reused and what would run')
    .option('--from <subtask>', 'run this subtask and everything that depends on it again')
    .option('--plan <file>', 'use this plan instead of the one it was started with')
    .addOption(configOption())
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .action(async (task: string, given: RetryCommandOptions) =>
      onExit(await (await import('./commands/retry-command.ts')).retryCommand(context, task, given)),
    );
}

function addRemembering(program: Command, { context, onExit }: ProgramOptions): void {
  const memory = program
    .command('memory')
    .description('what a project knows about failures and what fixed them')
    .argument('[project]', 'the project of the current folder by default')
    .action(async (project: string | undefined) =>
      onExit(await (await import('./commands/memory-commands.ts')).memoryCommand(context, project)),
    );
  memory
    .command('forget')
    .description('forget a signature and its standing answer')
    .argument('<project>')
    .argument('<signature>')
    .action(async (project: string, signature: string) =>
      onExit(await (await import('./commands/memory-commands.ts')).memoryForgetCommand(context, project, signature)),
    );
  memory
    .command('set')
    .description('correct what fixes a signature')
    .argument('<project>')
    .argument('<signature>')
    .option('--rung <n>', 'the rung that fixes it', wholeNumber)
    .option('--hint <text>', 'what helps')
    .action(async (project: string, signature: string, given: { rung?: number; hint?: string }) =>
      onExit(
        await (await import('./commands/memory-commands.ts')).memorySetCommand(context, project, signature, given),
      ),
    );
  memory
    .command('export')
    .description('print the memory as JSON')
    .argument('<project>')
    .action(async (project: string) =>
      onExit(await (await import('./commands/memory-commands.ts')).memoryExportCommand(context, project)),
    );
  memory
    .command('import')
    .description('add the memory that export wrote')
    .argument('<project>')
    .argument('<file>')
    .action(async (project: string, file: string) =>
      onExit(await (await import('./commands/memory-commands.ts')).memoryImportCommand(context, project, file)),
    );
}

function addLooking(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Look:');
  program
    .command('status')
    .description('what a task is doing now, or why it waits')
    .argument('<task>')
    .action(async (task: string) =>
      onExit(await (await import('./commands/look-commands.ts')).statusCommand(context, task)),
    );
  program
    .command('list')
    .description('all tasks, newest first')
    .action(async () => onExit(await (await import('./commands/look-commands.ts')).listCommand(context)));
  program
    .command('logs')
    .description('what the programs printed, attempt by attempt')
    .argument('<task>')
    .argument('[subtask]')
    .option('-f, --follow', 'keep printing until the task, or the subtask, has ended')
    .option('--attempt <n>', 'only this attempt', wholeNumber)
    .action(async (task: string, subtask: string | undefined, given: LogsOptions) =>
      onExit(await (await import('./commands/logs-command.ts')).logsCommand(context, task, subtask, given)),
    );
  program
    .command('report')
    .description('what was tried, what failed, what was decided; as Markdown')
    .argument('<task>')
    .option('--page <file>', 'write it as one HTML file with charts')
    .option('--markdown <file>', 'write the Markdown to a file')
    .action(async (task: string, given: ReportOptions) =>
      onExit(await (await import('./commands/report-command.ts')).reportCommand(context, task, given)),
    );
}

function addUndoing(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('diff')
    .helpGroup('Look:')
    .description('what a task or subtask changed in the workspace')
    .argument('<task>')
    .argument('[subtask]')
    .option('--stat', 'only which files, how, and by whom')
    .action(async (task: string, subtask: string | undefined, given: DiffOptions) =>
      onExit(await (await import('./commands/workspace-commands.ts')).diffCommand(context, task, subtask, given)),
    );
  program
    .command('undo')
    .description('restore files to how they were before a task or subtask')
    .argument('<task>')
    .argument('[subtask]')
    .option('--dry-run', 'only say what would be restored')
    .option('--force', 'also files that others may have changed')
    .action(async (task: string, subtask: string | undefined, given: UndoOptions) =>
      onExit(await (await import('./commands/workspace-commands.ts')).undoCommand(context, task, subtask, given)),
    );
}

function addAnswering(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Answer and direct:');
  program
    .command('inbox')
    .description('what is waiting for a person, in all tasks')
    .action(async () => onExit(await (await import('./commands/look-commands.ts')).inboxCommand(context)));
  program
    .command('decide')
    .description('answer a question of a task')
    .argument('<task>')
    .argument('<decision>')
    .argument('<option>')
    .option('--instruction <text>', 'what to do differently; `fix` needs it')
    .option('--value <json>', 'the new value, for `edit` and `raise`')
    .addOption(new Option('--scope <scope>', 'what the answer applies to').choices(['once', 'signature']))
    .option('--by <name>', 'who answers; your user name by default')
    .option('--signal', signalHelp)
    .action(async (task: string, decision: string, option: string, given: DecideOptions) =>
      onExit(
        await (await import('./commands/answer-commands.ts')).decideCommand(context, { task, decision, option }, given),
      ),
    );
  program
    .command('steer')
    .description('give an instruction to every attempt that starts later')
    .argument('<task>')
    .argument('<text>')
    .option('--subtask <id>', 'only for this subtask')
    .option('--signal', signalHelp)
    .action(async (task: string, text: string, given: { subtask?: string; signal?: boolean }) =>
      onExit(await (await import('./commands/direct-commands.ts')).steerCommand(context, task, text, given)),
    );
  program
    .command('pause')
    .description('start nothing new; running subtasks finish')
    .argument('<task>')
    .option('--reason <text>', 'shown wherever the task is shown')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { reason?: string; signal?: boolean }) =>
      onExit(await (await import('./commands/direct-commands.ts')).pauseCommand(context, task, given)),
    );
  program
    .command('resume')
    .description('continue after a pause')
    .argument('<task>')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { signal?: boolean }) =>
      onExit(await (await import('./commands/direct-commands.ts')).resumeCommand(context, task, given)),
    );
  program
    .command('cancel')
    .description('stop a task; finished work is kept')
    .argument('<task>')
    .option('--wait', 'wait until it has ended')
    .action(async (task: string, given: { wait?: boolean }) =>
      onExit(await (await import('./commands/direct-commands.ts')).cancelCommand(context, task, given)),
    );
}

function addOperating(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Operate:').helpCommand('help [command]', 'print the help of a command');
  program
    .command('up')
    .description('run the local service: server (unless one is given) and worker')
    .option('--background', 'start it and return')
    .option('--metrics <address>', metricsHelp)
    .action(async (given: { background?: boolean; metrics?: string }) =>
      onExit(await (await import('./commands/service-commands.ts')).upCommand(context, given)),
    );
  program
    .command('down')
    .description('stop the local service')
    .option('--force', 'also while a task is open; it resumes at the next start')
    .action(async (given: { force?: boolean }) =>
      onExit(await (await import('./commands/service-commands.ts')).downCommand(context, given)),
    );
  program
    .command('worker')
    .description('run a worker alone')
    .option('--workflows-only', 'run workflows only; other workers run the activities')
    .option('--metrics <address>', metricsHelp)
    .option('--build-id <id>', 'version of this code; a task stays on the one it started with')
    .action(async (given: WorkerOptions) =>
      onExit(await (await import('./commands/service-commands.ts')).workerCommand(context, given)),
    );
  program
    .command('replay')
    .description('check that open tasks can continue with this code, before it is deployed')
    .argument('[history...]', 'history files, or tasks')
    .option('--open', 'all open tasks and project memories of the queue')
    .option('--bundle <file>', 'the workflow code of another build: its workflow-bundle.js')
    .action(async (targets: string[], given: ReplayOptions) =>
      onExit(await (await import('./commands/replay-command.ts')).replayCommand(context, targets, given)),
    );
  program
    .command('doctor')
    .description('check that everything a task needs is available')
    .action(async () => onExit(await (await import('./commands/service-commands.ts')).doctorCommand(context)));
  program
    .command('prune')
    .description('remove old data from the home; never what an open task needs')
    .option('--older-than <duration>', 'for everything, instead of 30d (output and logs) and 7d (traces of attempts)')
    .option('--max-size <size>', 'cut the store down to this size, oldest first; 20GB by default')
    .option('--dry-run', 'only say what would be removed')
    .action(async (given: PruneOptions) =>
      onExit(await (await import('./commands/prune-command.ts')).pruneCommand(context, given)),
    );
  program
    .command('init')
    .description('write a heddle.toml with every setting in it, commented out')
    .option('--force', 'overwrite an existing file')
    .action(async (given: { force?: boolean }) =>
      onExit(await (await import('./commands/config-commands.ts')).initCommand(context, given)),
    );
  program
    .command('config')
    .description('each setting, and where its value came from')
    .addOption(configOption())
    .action(async (given: { config?: string[] }) =>
      onExit(await (await import('./commands/config-commands.ts')).configCommand(context, given)),
    );
}

const configOption = (): Option =>
  new Option('-c, --config <key=value>', 'a setting of heddle.toml for this call; can be repeated').argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
