import type { Command } from 'commander';
import { wholeNumber, type ProgramOptions } from './arguments.ts';

export function addRemembering(program: Command, { context, onExit }: ProgramOptions): void {
  const memory = program
    .command('memory')
    .description('show what a project knows about failures and their fixes, and its lessons')
    .argument('[project]', 'name of the project; that of the current folder by default')
    .option('--search <text>', 'show the lessons that fit a text, the most relevant first')
    .action(async (project: string | undefined, options: { search?: string }) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryCommand(context, project, options)),
    );
  memory
    .command('add')
    .description('add a lesson that later prompts show')
    .argument('<project>')
    .argument('<text>', 'one sentence')
    .action(async (project: string, text: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryAddCommand(context, project, text)),
    );
  memory
    .command('accept')
    .description('accept a lesson that waits, or take a retired one back')
    .argument('<project>')
    .argument('<id>')
    .action(async (project: string, id: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryAcceptCommand(context, project, id)),
    );
  memory
    .command('forget')
    .description('forget a signature and its standing answer, or a lesson')
    .argument('<project>')
    .argument('<signature>', 'a signature, or the id of a lesson')
    .action(async (project: string, signature: string) =>
      onExit(await (await import('../commands/memory-commands.ts')).memoryForgetCommand(context, project, signature)),
    );
  memory
    .command('set')
    .description('correct the known fix of a signature, or the text of a lesson')
    .argument('<project>')
    .argument('<signature>', 'a signature, or the id of a lesson')
    .option('--rung <n>', 'the rung that fixes it', wholeNumber)
    .option('--hint <text>', 'advice that fixes it')
    .option('--text <text>', 'the new text of a lesson')
    .action(async (project: string, signature: string, given: { rung?: number; hint?: string; text?: string }) =>
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
