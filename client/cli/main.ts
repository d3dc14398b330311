import { CommanderError } from 'commander';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { exits } from './shared/exit-codes.ts';
import { Output } from './shared/output.ts';
import type { Ports } from '../ports/ports.ts';
import { createProgram } from './program/program.ts';
import { showError } from './shared/show-error.ts';
import { fromCommander, usageError } from './shared/usage-error.ts';

/** The command line `heddle`: arguments without program and script in, exit code out. It never ends the process itself. */
export async function main(argv: readonly string[], ports: Ports): Promise<number> {
  const output = new Output(ports, { json: wantsJson(argv) });
  const code = await run(argv, ports, output).catch((error: unknown) => showError(error, output, ports.env));
  const failure = await output.failure();
  return failure === undefined ? code : showError(notWritten(failure), output, ports.env);
}

/** A person who reads the output later must know that some of it is missing. */
const notWritten = (failure: Error): HeddleError =>
  new HeddleError({
    code: 'OUTPUT_NOT_WRITTEN',
    message: `The output could not be written: ${failure.message}`,
    where: 'stdout',
    hint: 'Free some space, or send the output elsewhere; what the command did is done.',
  });

/** Known before the arguments are read, so that a mistake in them is reported in the same form. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

async function run(argv: readonly string[], ports: Ports, output: Output): Promise<number> {
  let code: number = exits.done;
  let written = '';
  const program = createProgram({
    context: { ports, output },
    onExit: (exit) => (code = exit),
    write: (text) => (written += text),
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return printRequested(output, error.code, written);
    if (error.code !== 'commander.help') throw fromCommander(error, findCommand(argv, program.commands));
    if (!output.json) output.error(written.trimEnd());
    if (output.json) throw usageError('A command is missing', { hint: '`heddle --help` lists the commands.' });
    return exits.usage;
  }
}

/** Help and version. */
function printRequested(output: Output, what: string, text: string): number {
  if (output.json) output.data(what === 'commander.version' ? { version: text.trim() } : { help: text });
  else output.print(text.trimEnd());
  return exits.done;
}

/** The command whose help would have helped. */
function findCommand(argv: readonly string[], commands: readonly { name: () => string }[]): string {
  const name = argv.find((word) => !word.startsWith('-'));
  return commands.some((command) => command.name() === name) ? `heddle ${name ?? ''}` : 'heddle';
}
