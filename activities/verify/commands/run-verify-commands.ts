import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nameOfCheck } from '../../../domain/checks/named-checks.ts';
import { quoteName } from '../../../domain/input/problem.ts';
import type { Checks, Issue, VerifyCommandResult } from '../../../domain/types/attempt.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { clipStart, lastLines, oneLine } from '../../../domain/text/text.ts';
import { keyVariable } from '../../programs/orphan.ts';
import { ownShell } from '../../programs/own-programs.ts';
import { runProgram } from '../../programs/run-program.ts';
import { isSystemError } from '../../system/system-error.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { runConfined, type CommandEnd, type ConfinedChecks } from './run-confined.ts';

export interface VerifyCommandContext {
  root: string;
  /** A folder for output on its way to the store. */
  scratch: string;
  env: Readonly<Record<string, string>>;
  keep: (path: string) => Promise<Ref>;
  timeout: number;
  killGrace: number;
  redactor: Redactor;
  signal: AbortSignal;
  /** The place where commands run; absent: as any program of the plan. */
  confined?: ConfinedChecks;
  /** Said before each command. */
  onCommand: (command: string) => void;
}

export interface CommandFindings {
  issues: Issue[];
  commands: VerifyCommandResult[];
}

/** Marks the processes of one command. */
const runVariable = 'HEDDLE_VERIFY_RUN';

/** The end of an output that is looked at: enough for the details of an issue in any script. */
const tailBytes = 4 * 1024;
const summaryLines = 3;
const detailLines = 20;

/** Runs each command by a shell in the workspace, one after the other, all of them: the next attempt should hear of every one. */
export async function runVerifyCommands(
  { verify, checkNames }: Pick<Checks, 'verify' | 'checkNames'>,
  place: VerifyCommandContext,
): Promise<CommandFindings> {
  const findings: CommandFindings = { issues: [], commands: [] };
  for (const [index, command] of verify.entries()) {
    place.signal.throwIfAborted();
    const name = nameOfCheck(command, checkNames);
    place.onCommand(name ?? command);
    const { issue, result } = await runOne({ command, name }, join(place.scratch, `command-${index + 1}`), place);
    place.signal.throwIfAborted();
    if (issue !== undefined) findings.issues.push(issue);
    findings.commands.push(result);
  }
  return findings;
}

interface Command {
  command: string;
  name: string | undefined;
}

async function runOne(
  { command, name }: Command,
  output: string,
  place: VerifyCommandContext,
): Promise<{ issue: Issue | undefined; result: VerifyCommandResult }> {
  const run = await start(command, output, place);
  const kept = run.end === 'not-started' ? undefined : await keepOutput(output, place);
  const trouble = kept?.trouble ?? findTrouble(run);
  const printed = [kept?.tail ?? '', trouble ?? ''].filter((part) => part !== '').join('\n');
  const exit = run.end === 'exited' && trouble === undefined ? run.exitCode : null;
  return {
    issue:
      exit === 0
        ? undefined
        : { ...explain({ command, name }, run, { printed, timeout: place.timeout }), ...buildDetails(printed) },
    result: {
      command,
      ...(name === undefined ? {} : { name }),
      exit,
      summary: formatSummary(printed, run),
      ...(place.confined?.port.sandboxed === true ? { sandboxed: true } : {}),
      ...(kept?.ref === undefined ? {} : { output: kept.ref }),
    },
  };
}

function start(command: string, output: string, place: VerifyCommandContext): Promise<CommandEnd> {
  const { root, env, timeout, signal, redactor, killGrace, confined } = place;
  if (confined !== undefined)
    return runConfined(command, { ...confined, output, env: ownVariables(env), timeout, signal });
  const paths = { output };
  // Its own: a verification that is thought dead and is not must not end the commands of the one that took its place.
  const run = randomUUID();
  const program = {
    argv: [ownShell, '-c', command],
    cwd: root,
    env: { ...env, [runVariable]: run },
    timeout,
    signal,
    paths,
    redactor,
    killGrace,
  };
  return runProgram({
    ...program,
    mark: `${runVariable}=${run}`,
    attemptMark: `${keyVariable}=${env[keyVariable]}`,
  });
}

/** Those that say which task and subtask this is; the rest of an environment is the sandbox's. */
const ownVariables = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('HEDDLE_') && name !== keyVariable));

/** Trouble of the machine, in the system's words, so that the classification of the failure sees it. */
function findTrouble(run: CommandEnd): string | undefined {
  if (run.startError !== undefined) return `sh could not be started: ${run.startError.code} ${run.startError.message}`;
  if (run.outputError !== undefined)
    return `the output could not be kept: ${run.outputError.code} ${run.outputError.message}`;
  return undefined;
}

async function keepOutput(
  path: string,
  place: VerifyCommandContext,
): Promise<{ tail: string; ref?: Ref; trouble?: string }> {
  try {
    const tail = await readTail(path);
    return { tail, ref: await place.keep(path) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { tail: '', trouble: `the output could not be kept: ${error.message}` };
  }
}

async function readTail(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    await file.read(buffer, 0, buffer.length, size - buffer.length);
    // A character that the cut goes through is left out.
    return stripVTControlCharacters(buffer.toString('utf8').replace(/^\uFFFD+/, ''));
  } finally {
    await file.close();
  }
}

function formatSummary(printed: string, run: CommandEnd): string {
  const line = oneLine(lastLines(printed, summaryLines));
  if (line !== '') return clipStart(line, limits.summary);
  return run.exitCode === 0 ? '' : `${howItEnded(run)}, and it printed nothing`;
}

function buildDetails(printed: string): { details?: string } {
  const details = lastLines(printed, detailLines);
  return details === '' ? {} : { details: clipStart(details, activityLimits.issueDetails) };
}

/** People know a named check by its name and the last line it printed; its script may be long. */
function explain(
  { command, name }: Command,
  run: CommandEnd,
  { printed, timeout }: { printed: string; timeout: number },
): Issue {
  const severity = 'hard';
  const commandLine = oneLine(command);
  if (run.end === 'timeout') {
    const what = name === undefined ? 'The verify command' : `The check ${quoteName(name)}`;
    const message = `${what} did not finish within ${formatDuration(timeout)}, so make it finish${name === undefined ? `: ${commandLine}` : '.'}`;
    return { code: 'verify-command-timeout', severity, message };
  }
  const line = oneLine(lastLines(printed, 1));
  const message =
    name === undefined
      ? `The verify command must exit with 0, but ${howItEnded(run)}: ${commandLine}`
      : `The check ${quoteName(name)} must pass, but ${howItEnded(run)}${line === '' ? ' and printed nothing.' : `: ${line}`}`;
  return { code: 'verify-command-failed', severity, message };
}

function howItEnded(run: CommandEnd): string {
  if (run.end === 'not-started') return 'it could not be started';
  if (run.end === 'timeout') return 'it did not finish in time';
  if (run.outputError !== undefined) return 'its output could not be kept';
  return run.signal !== null ? `it was ended by ${run.signal}` : `it exited with code ${run.exitCode ?? '?'}`;
}
