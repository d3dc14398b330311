import { type Command, Option } from 'commander';
import type { DecideOptions } from '../commands/answer-commands.ts';
import type { ProgramOptions } from './arguments.ts';

const signalHelp = 'send a Temporal Signal, which waits for a worker and returns nothing';

export function addAnswering(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Answer and direct:');
  program
    .command('inbox')
    .description('list the open questions of all tasks')
    .action(async () => onExit(await (await import('../commands/look-commands.ts')).inboxCommand(context)));
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
        await (
          await import('../commands/answer-commands.ts')
        ).decideCommand(context, { task, decision, option }, given),
      ),
    );
  program
    .command('steer')
    .description('give an instruction to running agents, and to every attempt that starts later')
    .argument('<task>')
    .argument('<text>')
    .option('--subtask <id>', 'give the instruction to this subtask only')
    .option('--replan', 'also let a planner change the plan to follow it')
    .option('--signal', signalHelp)
    .action(async (task: string, text: string, given: { subtask?: string; replan?: boolean; signal?: boolean }) =>
      onExit(await (await import('../commands/direct-commands.ts')).steerCommand(context, task, text, given)),
    );
  program
    .command('pause')
    .description('start nothing new; running programs finish, agents stop before their next model call')
    .argument('<task>')
    .option('--reason <text>', 'a reason that is shown with the task')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { reason?: string; signal?: boolean }) =>
      onExit(await (await import('../commands/direct-commands.ts')).pauseCommand(context, task, given)),
    );
  program
    .command('resume')
    .description('continue after a pause')
    .argument('<task>')
    .option('--signal', signalHelp)
    .action(async (task: string, given: { signal?: boolean }) =>
      onExit(await (await import('../commands/direct-commands.ts')).resumeCommand(context, task, given)),
    );
  program
    .command('cancel')
    .description('stop a task; finished work is kept')
    .argument('<task>')
    .option('--wait', 'wait until the task has ended')
    .action(async (task: string, given: { wait?: boolean }) =>
      onExit(await (await import('../commands/direct-commands.ts')).cancelCommand(context, task, given)),
    );
}
