import type { Command } from 'commander';
import type { DiffOptions, UndoOptions } from '../commands/workspace-commands.ts';
import type { ProgramOptions } from './arguments.ts';

export function addUndoing(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('diff')
    .helpGroup('Look:')
    .description('show what a task or subtask changed in the workspace')
    .argument('<task>')
    .argument('[subtask]')
    .option('--stat', 'list only the files, how they changed and who changed them')
    .action(async (task: string, subtask: string | undefined, given: DiffOptions) =>
      onExit(await (await import('../commands/workspace-commands.ts')).diffCommand(context, task, subtask, given)),
    );
  program
    .command('undo')
    .description('restore files to their state before a task or subtask')
    .argument('<task>')
    .argument('[subtask]')
    .option('--dry-run', 'only show what would be restored')
    .option('--force', 'restore even files that others may have changed')
    .action(async (task: string, subtask: string | undefined, given: UndoOptions) =>
      onExit(await (await import('../commands/workspace-commands.ts')).undoCommand(context, task, subtask, given)),
    );
}
