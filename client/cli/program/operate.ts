import type { Command } from 'commander';
import type { PruneOptions } from '../commands/prune-command.ts';
import type { ReplayOptions } from '../commands/replay-command.ts';
import type { WorkerOptions } from '../commands/service-commands.ts';
import type { ProgramOptions } from './arguments.ts';

const metricsHelp = 'address at which Prometheus reads metrics, such as 127.0.0.1:9464';

export function addOperating(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Operate:').helpCommand('help [command]', 'print the help of a command');
  program
    .command('up')
    .description('run the local service: a worker, and a server unless one is given')
    .option('--background', 'start the service and return')
    .option('--metrics <address>', metricsHelp)
    .option('--no-console', 'without the HTTP API and the console')
    .action(async (given: { background?: boolean; metrics?: string; console?: boolean }) =>
      onExit(await (await import('../commands/service-commands.ts')).upCommand(context, given)),
    );
  program
    .command('down')
    .description('stop the local service')
    .option('--force', 'stop even while a task is open; it resumes at the next start')
    .action(async (given: { force?: boolean }) =>
      onExit(await (await import('../commands/service-commands.ts')).downCommand(context, given)),
    );
  program
    .command('worker')
    .description('run a worker without a server')
    .option('--workflows-only', 'run workflows only; other workers run the activities')
    .option('--metrics <address>', metricsHelp)
    .option('--build-id <id>', 'version of this code; a task stays on the one it started with')
    .action(async (given: WorkerOptions) =>
      onExit(await (await import('../commands/service-commands.ts')).workerCommand(context, given)),
    );
  program
    .command('replay')
    .description('check that open tasks can continue with this code, before it is deployed')
    .argument('[history...]', 'history files or tasks')
    .option('--open', 'check all open tasks and project memories of the queue')
    .option('--bundle <file>', 'check the workflow code of another build: its workflow-bundle.js')
    .action(async (targets: string[], given: ReplayOptions) =>
      onExit(await (await import('../commands/replay-command.ts')).replayCommand(context, targets, given)),
    );
  program
    .command('doctor')
    .description('check that everything a task needs is available')
    .action(async () => onExit(await (await import('../commands/service-commands.ts')).doctorCommand(context)));
  program
    .command('codec')
    .description('encrypt what the Temporal server stores')
    .command('new-key')
    .description('make a key that encrypts from now on, in a new file or before the keys of one')
    .argument('<file>', 'file of keys, for HEDDLE_CODEC_KEYS')
    .action(async (file: string) =>
      onExit((await import('../commands/codec-command.ts')).newKeyCommand(context, file)),
    );
  program
    .command('prune')
    .description('remove old data that no open task needs from the home')
    .option(
      '--older-than <duration>',
      'one age for all data, instead of 30d for output and logs and 7d for files of attempts',
    )
    .option('--max-size <size>', 'reduce the store to this size, oldest data first; 20GB by default')
    .option('--dry-run', 'only show what would be removed')
    .action(async (given: PruneOptions) =>
      onExit(await (await import('../commands/prune-command.ts')).pruneCommand(context, given)),
    );
}
