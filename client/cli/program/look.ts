import type { Command } from 'commander';
import type { ArtifactsOptions } from '../commands/artifacts/artifacts-command.ts';
import type { EvidenceOptions } from '../commands/evidence/evidence-command.ts';
import type { LogsOptions } from '../commands/logs-command.ts';
import type { ReportOptions } from '../commands/report-command.ts';
import { wholeNumber, type ProgramOptions } from './arguments.ts';

export function addLooking(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Look:');
  program
    .command('status')
    .description('show what a task is doing now, or why it waits')
    .argument('<task>')
    .action(async (task: string) =>
      onExit(await (await import('../commands/look-commands.ts')).statusCommand(context, task)),
    );
  program
    .command('list')
    .description('list all tasks, newest first')
    .action(async () => onExit(await (await import('../commands/look-commands.ts')).listCommand(context)));
  program
    .command('logs')
    .description('print the output of a task, attempt by attempt')
    .argument('<task>')
    .argument('[subtask]')
    .option('-f, --follow', 'keep printing until the task, or the subtask, has ended')
    .option('--attempt <n>', 'print only this attempt', wholeNumber)
    .option('--transcript', 'print the whole conversations of agents instead')
    .action(async (task: string, subtask: string | undefined, given: LogsOptions) =>
      onExit(await (await import('../commands/logs-command.ts')).logsCommand(context, task, subtask, given)),
    );
  program
    .command('evidence')
    .description('print the claims of a task with their sources, and how well each is supported')
    .argument('<task>')
    .argument('[subtask]')
    .option('--csv', 'print the records as CSV')
    .option('--missing', 'print only the targets without enough records')
    .action(async (task: string, subtask: string | undefined, given: EvidenceOptions) =>
      onExit(
        await (await import('../commands/evidence/evidence-command.ts')).evidenceCommand(context, task, subtask, given),
      ),
    );
  program
    .command('artifacts')
    .description('list what a task keeps of the web and of tools, or print one of them')
    .argument('<task>')
    .argument('[id]')
    .option('-o, --output <file>', 'write the bytes to a file instead of stdout')
    .action(async (task: string, id: string | undefined, given: ArtifactsOptions) =>
      onExit(
        await (await import('../commands/artifacts/artifacts-command.ts')).artifactsCommand(context, task, id, given),
      ),
    );
  program
    .command('report')
    .description('print what was tried, what failed and what was decided, as Markdown')
    .argument('<task>')
    .option('--html <file>', 'write the report as one HTML page with charts')
    .option('--markdown <file>', 'write the report as Markdown to a file')
    .option('--calibration', 'print how people decided on results, by confidence, instead')
    .action(async (task: string, given: ReportOptions) =>
      onExit(await (await import('../commands/report-command.ts')).reportCommand(context, task, given)),
    );
}
