import { Option, type Command } from 'commander';
import { providerNames } from '../../../domain/llm/built-in-models.ts';
import type { InitOptions } from '../commands/config-commands.ts';
import type { ModelsOptions } from '../commands/models-command.ts';
import { configOption, type ProgramOptions } from './arguments.ts';

export function addConfiguring(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Configure:');
  program
    .command('init')
    .description('write a heddle.toml with the models of a service')
    .addOption(new Option('--model <name>', 'the service; asked for on a terminal').choices(providerNames))
    .option('--all', 'every other setting too, commented out')
    .option('--force', 'overwrite an existing file')
    .action(async (given: InitOptions) =>
      onExit(await (await import('../commands/config-commands.ts')).initCommand(context, given)),
    );
  program
    .command('config')
    .description('each setting, and where its value came from')
    .addOption(configOption())
    .action(async (given: { config?: string[] }) =>
      onExit(await (await import('../commands/config-commands.ts')).configCommand(context, given)),
    );
  program
    .command('trust')
    .description("let the project's heddle.toml name providers, allow commands and set the sandbox, until it changes")
    .option('--revoke', 'end the trust')
    .action(async (given: { revoke?: boolean }) =>
      onExit(await (await import('../commands/trust-command.ts')).trustCommand(context, given)),
    );
  program
    .command('models')
    .description('the models of the config, and which one serves each role and tier')
    .option('--check', 'send each a one-word request: whether it answers, how fast, at what price')
    .addOption(configOption())
    .action(async (given: ModelsOptions) =>
      onExit(await (await import('../commands/models-command.ts')).modelsCommand(context, given)),
    );
}
