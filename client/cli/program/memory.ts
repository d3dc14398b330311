import type { Command } from 'commander';
import { wholeNumber, type ProgramOptions } from './arguments.ts';

export function addRemembering(program: Command, { context, onExit }: ProgramOptions): void {
  const memory = program
    .command('memory')
    .description('show what a project knows about failures and their fixes')
    .argument('[project]', 'name of the project; that of the current folder by default')
    .action(async (project: string | undefined) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryCommand(context, project)),
    );
  memory
    .command('forget')
    .description('forget a signature and its standing answer')
    .argument('<project>')
    .argument('<signature>')
    .action(async (project: string, signature: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryForgetCommand(context, project, signature)),
    );
  memory
    .command('set')
    .description('correct the known fix of a signature')
    .argument('<project>')
    .argument('<signature>')
    .option('--rung <n>', 'the rung that fixes it', wholeNumber)
    .option('--hint <text>', 'advice that fixes it')
    .action(async (project: string, signature: string, given: { rung?: number; hint?: string }) =>
      onExit(
        await (await import('../commands/memory-commands.ts')).memorySetCommand(context, project, signature, given),
      ),
    );
  memory
    .command('export')
    .description('print the memory as JSON')
    .argument('<project>')
    .action(async (project: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryExportCommand(context, project)),
    );
  memory
    .command('import')
    .description('add a memory that `export` printed')
    .argument('<project>')
    .argument('<file>')
    .action(async (project: string, file: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryImportCommand(context, project, file)),
    );
}
