import { Option, type Command } from 'commander';
import { providerNames } from '../../../domain/llm/built-in-models.ts';
import type { InitOptions } from '../commands/config-commands.ts';
import type { ModelsOptions } from '../commands/agents/models-command.ts';
import type { ToolsOptions } from '../commands/agents/tools-command.ts';
import { configOption, type ProgramOptions } from './arguments.ts';

export function addConfiguring(program: Command, { context, onExit }: ProgramOptions): void {
  program.commandsGroup('Configure:');
  program
    .command('init')
    .description('write a heddle.toml with the models of a service')
    .addOption(
      new Option('--model <name>', 'the service; without it you are asked on a terminal').choices(providerNames),
    )
    .option('--all', 'write every other setting too, commented out')
    .option('--force', 'overwrite an existing file')
    .action(async (given: InitOptions) =>
      onExit(await (await import('../commands/config-commands.ts')).initCommand(context, given)),
    );
  program
    .command('config')
    .description('show each setting, and where its value came from')
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
    .description('list the models, and which one serves each role and tier')
    .option('--check', 'send each model a one-word request, and show its time and its price')
    .addOption(configOption())
    .action(async (given: ModelsOptions) =>
      onExit(await (await import('../commands/agents/models-command.ts')).modelsCommand(context, given)),
    );
  const tools = program
    .command('tools')
    .description('list the tools of agents, and the servers that have them')
    .option('--check', 'start every server, and show whether it works')
    .addOption(configOption())
    .action(async (given: ToolsOptions) =>
      onExit(await (await import('../commands/agents/tools-command.ts')).toolsCommand(context, given)),
    );
  tools
    .command('serve')
    .description('serve a file of tools as an MCP server on the standard streams')
    .argument('<file>', 'file that exports tools')
    .action(async (file: string) =>
      onExit(await (await import('../commands/agents/tools-command.ts')).serveToolsCommand(context, file)),
    );
}
