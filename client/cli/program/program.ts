import { Command, Help } from 'commander';
import { readVersion } from '../shared/version.ts';
import { addAnswering } from './answer.ts';
import type { ProgramOptions } from './arguments.ts';
import { addConfiguring } from './configure.ts';
import { addLooking } from './look.ts';
import { addRemembering } from './memory.ts';
import { addProcesses } from './process.ts';
import { addOperating } from './operate.ts';
import { addRetrying, addRunning } from './run.ts';
import { addServing } from './serve.ts';
import { addUndoing } from './undo.ts';

const afterHelp = `
TASK is the id of a task, or \`latest\`.

Exit codes: 0 done, 1 the task failed or was cancelled, 2 bad usage, plan or
config, 3 a person is needed (--exit-on-decision), 4 no such task or decision,
5 Temporal or the worker cannot be reached, 130 interrupted.`;

/** Columns below which a description is not wrapped; commander's 40 left the list of commands unwrapped in a terminal of 80. */
const leastHelp = 16;

/** Nearly every command has options: its own help lists them. */
const subcommandTerm = (command: Command): string => new Help().subcommandTerm(command).replace(' [options]', '');

/** All commands with their arguments. What they do is in the files that they are imported from. */
export function createProgram(options: ProgramOptions): Command {
  const program = new Command('heddle')
    .description('Runs agent tasks as durable Temporal workflows.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--json', 'print JSON: one document, or one line per event for run and watch')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: leastHelp, subcommandTerm })
    .addHelpText('after', afterHelp)
    .configureOutput({ writeOut: options.write, writeErr: options.write, outputError: () => undefined })
    .exitOverride();
  addRunning(program, options);
  addRetrying(program, options);
  addLooking(program, options);
  addAnswering(program, options);
  addUndoing(program, options);
  addOperating(program, options);
  addServing(program, options);
  addConfiguring(program, options);
  addProcesses(program, options);
  addRemembering(program, options);
  return program;
}
