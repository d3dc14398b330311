import { Option, type Command } from 'commander';
import { roles } from '../../../domain/types/basic/role.ts';
import type { AddTokenOptions } from '../commands/serve/auth-commands.ts';
import type { McpFlags } from '../commands/serve/mcp-command.ts';
import type { ServeFlags } from '../commands/serve/serve-commands.ts';
import { wholeNumber, type ProgramOptions } from './arguments.ts';

export function addServing(program: Command, options: ProgramOptions): void {
  const { context, onExit } = options;
  program
    .command('serve')
    .description('serve the HTTP API and the console alone')
    .option('--host <address>', 'the address; other than loopback only with tokens')
    .option('--port <port>', 'the port; 7880 by default', wholeNumber)
    .action(async (given: ServeFlags) =>
      onExit(await (await import('../commands/serve/serve-commands.ts')).serveCommand(context, given)),
    );
  program
    .command('open')
    .description('open the console, a task or a decision in the browser')
    .argument('[task]')
    .argument('[decision]')
    .option('--print', 'only print the address, which lets one browser in within a minute')
    .action(async (task: string | undefined, decision: string | undefined, given: { print?: boolean }) =>
      onExit(
        await (await import('../commands/serve/serve-commands.ts')).openCommand(context, { task, decision, ...given }),
      ),
    );
  program
    .command('mcp')
    .description('serve tools for tasks by stdin and stdout, to a program that speaks MCP')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).default('viewer'))
    .action(async (given: McpFlags) =>
      onExit(await (await import('../commands/serve/mcp-command.ts')).mcpCommand(context, given)),
    );
  addTokens(program, options);
}

function addTokens(program: Command, { context, onExit }: ProgramOptions): void {
  const token = program
    .command('auth')
    .description('say who may use the HTTP API and the console')
    .command('token')
    .description('add, list and revoke tokens');
  token
    .command('add')
    .description('make a token for a name, and print it once')
    .argument('<name>', 'who uses it: answers are told under this name')
    .addOption(new Option('--role <role>', 'what it may do').choices(roles).makeOptionMandatory())
    .option('--expires <duration>', 'how long it is good, such as 90d; without an end by default')
    .action(async (name: string, given: AddTokenOptions) =>
      onExit(await (await import('../commands/serve/auth-commands.ts')).addTokenCommand(context, name, given)),
    );
  token
    .command('list')
    .description('list the names, their roles, and when each token was last used')
    .action(async () => onExit(await (await import('../commands/serve/auth-commands.ts')).listTokensCommand(context)));
  token
    .command('revoke')
    .description('refuse a token from now on, and the sessions that it opened')
    .argument('<name>')
    .action(async (name: string) =>
      onExit(await (await import('../commands/serve/auth-commands.ts')).revokeTokenCommand(context, name)),
    );
}
