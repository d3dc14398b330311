import type { Command } from 'commander';
import type { NewProcessOptions } from '../commands/process/process-commands.ts';
import type { ProgramOptions } from './arguments.ts';

export function addProcesses(program: Command, { context, onExit }: ProgramOptions): void {
  const processes = program.command('process').description('list, show and write processes');
  processes
    .command('list', { isDefault: true })
    .description('list the processes that tasks of this folder may follow, and which file replaces which')
    .action(async () => onExit(await (await import('../commands/process/process-commands.ts')).listCommand(context)));
  processes
    .command('show')
    .description('show the inputs, phases and rules of a process')
    .argument('<process>', 'the name of a process, or the path of its file')
    .action(async (given: string) =>
      onExit(await (await import('../commands/process/process-commands.ts')).showCommand(context, given)),
    );
  processes
    .command('new')
    .description('write a new process into .heddle/processes, and trust it')
    .argument('<name>')
    .option('--from <process>', 'copy this process')
    .option('--user', 'write it for all of your projects')
    .action(async (name: string, given: NewProcessOptions) =>
      onExit(await (await import('../commands/process/process-commands.ts')).newCommand(context, name, given)),
    );
}
