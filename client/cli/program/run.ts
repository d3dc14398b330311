import type { Command } from 'commander';
import type { PlanOptions } from '../commands/plan-command.ts';
import type { RetryCommandOptions } from '../commands/retry-command.ts';
import type { RunOptions } from '../commands/run-command.ts';
import { configOption, processOption, setOption, verifyOption, wholeNumber, type ProgramOptions } from './arguments.ts';

const keysHelp = `
On a terminal, open questions are asked below the plan. Arrows or 1-9 choose,
Enter answers, Tab shows the next question, Esc postpones it. HEDDLE_PLAIN=1
prints plain lines and asks between them.`;

export function addRunning(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Run:');
  program
    .command('run')
    .description('start a task and follow it to its end; Ctrl-C detaches')
    .argument('[plan]', 'plan file, YAML or JSON; - for stdin; or a goal in words, which a model plans')
    .addOption(processOption())
    .addOption(setOption())
    .option('--id <id>', 'id of the task; a new one by default')
    .addOption(configOption())
    .option('--detach', 'start the task and return')
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .addOption(verifyOption())
    .option('--allow-unchecked', 'do not ask about unchecked results of a planned goal')
    .option('--share-workspace', 'share the workspace with another task that is using it')
    .addHelpText('after', keysHelp)
    .action(async (plan: string | undefined, given: RunOptions) =>
      onExit(await (await import('../commands/run-command.ts')).runCommand(context, plan, given)),
    );
  program
    .command('plan')
    .description('show the plan that a model makes for a goal, and run nothing')
    .argument('[goal]', 'the goal in words, or a plan file without subtasks')
    .addOption(processOption())
    .addOption(setOption())
    .option('-o, --output <file>', 'write the plan to a file, as YAML or JSON')
    .addOption(configOption())
    .action(async (goal: string | undefined, given: PlanOptions) =>
      onExit(await (await import('../commands/plan-command.ts')).planCommand(context, goal, given)),
    );
  program
    .command('watch')
    .description('follow a task to its end; same exit codes as run')
    .argument('<task>')
    .option('--since <n>', 'print only events after this number', wholeNumber)
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .action(async (task: string, given: { since?: number; exitOnDecision?: boolean }) =>
      onExit(await (await import('../commands/watch-command.ts')).watchCommand(context, task, given)),
    );
}

export function addRetrying(program: Command, { context, onExit }: ProgramOptions): void {
  program
    .command('retry')
    .description('start an ended task again, reusing what is finished and unchanged')
    .argument('<task>')
    .option('--dry-run', 'only show what would be reused and what would run')
    .option('--from <subtask>', 'run this subtask and everything that depends on it again')
    .option('--plan <file>', 'use this plan instead of the plan of the task')
    .addOption(configOption())
    .option('--exit-on-decision', 'exit with 3 when nothing can continue without a person')
    .action(async (task: string, given: RetryCommandOptions) =>
      onExit(await (await import('../commands/retry-command.ts')).retryCommand(context, task, given)),
    );
}
