import { stat } from 'node:fs/promises';

import type { OutputName } from '../../../domain/executors/output-names.ts';
import { settle } from '../../../domain/agent-clis/settle.ts';
import type { Execution } from '../../../domain/failure/execution.ts';
import type { CliResult } from '../../../domain/types/basic/completion-contract.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Store } from '../../store/store.ts';
import { isSystemError } from '../../system/system-error.ts';
import { parseCompletionContract } from '../../../domain/output/completion-line.ts';
import { outputLimits } from '../../../domain/output/limits.ts';
import type { NotStarted } from '../../programs/explain-start.ts';
import type { Interrupted } from '../../attempt/open-attempt.ts';
import type { Prepared } from './prepare-program.ts';
import { redactContract } from '../../redact/redact-results.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { ProgramResult } from '../../programs/run-program.ts';
import type { AttemptPaths } from '../../home/home-layout.ts';
import { resultFile, scratchFolder, scratchOutput } from '../../attempt/attempt-scratch.ts';
import { takeTail } from '../../programs/tail-buffer.ts';
import { readCli } from '../../agent-clis/read-cli.ts';
import { withResetTime } from '../../agent-clis/reset-time.ts';

/** An execution, with what it printed. */
export interface Facts extends Execution {
  stdoutBytes: number;
  /** stdout alone: what checks read. */
  stdout?: Ref;
  /** Both streams as the program wrote them, for people. */
  output?: Ref;
}

/** Holds a whole contract line and the blank lines after it. */
export const contractTail = 2 * outputLimits.contractLine;

/** EX_IOERR: the program may have done its work, but what it said is lost, so nobody can tell. */
const outputLost = 74;

const nothing = {
  exitCode: null,
  signal: null,
  stdoutTail: '',
  stdoutBytes: 0,
} as const;

export function describeNotStarted(reason: NotStarted): Facts {
  return {
    ...nothing,
    end: 'not-started',
    exitCode: reason.exitCode,
    stderrTail: takeTail(reason.message, activityLimits.outputTail),
  };
}

/** A run that was cut off and must not be repeated unasked, with what is left of its output for the person who decides. */
export async function describeCrash(
  interrupted: Interrupted,
  paths: AttemptPaths,
  { store, redactor, output: reads }: { store: Store; redactor: Redactor; output: OutputName | undefined },
): Promise<Facts> {
  const what = interrupted.handedOver
    ? 'The program was stopped before it finished'
    : 'The worker died while the program ran';
  const stderrTail = `${what}; it is not known how far it got.`;
  if (interrupted.run === undefined) return { ...nothing, end: 'crashed', stderrTail };
  const scratch = scratchFolder(paths, interrupted.run);
  const left = scratchOutput(scratch);
  try {
    const read = reads && (await readCli(reads, { stdout: left.stdout, resultFile: resultFile(scratch) }));
    const bytes = (await stat(left.stdout)).size;
    const stdout = read === undefined ? await store.putFile(left.stdout) : await store.put(read.text);
    const stdoutBytes = read === undefined ? bytes : stdout.bytes;
    const output = await store.putFile(left.output);
    const printed = (await store.tail(stdout, contractTail)).toString();
    const contract = parseContract({ stdoutTail: printed, stdoutBytes }, redactor);
    return {
      ...nothing,
      end: 'crashed',
      stderrTail,
      stdoutTail: shownTail(printed, redactor),
      stdoutBytes,
      stdout,
      output,
      ...(contract === undefined ? {} : { contract }),
      ...(read === undefined ? {} : { cli: read }),
    };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { ...nothing, end: 'crashed', stderrTail };
  }
}

/** Moves the output into the store and says what the program did; of an agent program, what it says itself. */
export async function describeRun(
  result: ProgramResult,
  program: Prepared,
  { store, read }: { store: Store; read: CliResult | undefined },
): Promise<Facts> {
  const kept = await keepOutput(result, program, store, read);
  const printed = read === undefined ? result : printedBy(read);
  const contract = parseContract(printed, program.redactor);
  const facts: Facts = {
    end: result.end === 'timeout' ? 'timeout' : 'exited',
    exitCode: result.exitCode,
    signal: result.signal,
    stdoutTail: shownTail(printed.stdoutTail, program.redactor),
    stderrTail: shownTail(result.stderrTail, program.redactor),
    stdoutBytes: printed.stdoutBytes,
    ...(contract === undefined ? {} : { contract }),
  };
  if (!('trouble' in kept)) return { ...facts, ...kept, ...(read === undefined ? {} : { cli: read }) };
  const complaint = `Heddle could not keep the program's output or its record: ${kept.trouble}`;
  return {
    ...facts,
    exitCode: facts.exitCode === 0 ? outputLost : facts.exitCode,
    stderrTail: shownTail(`${result.stderrTail}\n${complaint}`, program.redactor),
  };
}

/**
 * Reads the report of an agent program about the execution that just ended; undefined for other programs, and when its output could not be
 * kept.
 */
export async function readRun(
  name: OutputName | undefined,
  result: ProgramResult,
  { paths, resultFile: filed }: Pick<Prepared, 'paths' | 'resultFile'>,
): Promise<CliResult | undefined> {
  if (name === undefined || result.outputError !== undefined || result.startError !== undefined) return undefined;
  const lost = result.truncated ? { lostEnd: result.stdoutTail } : {};
  const read = await readCli(name, { stdout: paths.stdout, resultFile: filed, ...lost });
  return withResetTime(settle(name, read, result), Date.now());
}

/** Its text stands where the stdout of other programs does. */
const printedBy = ({ text }: CliResult): Pick<ProgramResult, 'stdoutTail' | 'stdoutBytes'> => ({
  stdoutTail: takeTail(text, contractTail),
  stdoutBytes: Buffer.byteLength(text),
});

/** Secrets go before the cut: half a secret would not be recognised. */
function shownTail(text: string, redactor: Redactor): string {
  return takeTail(redactor.text(text), activityLimits.outputTail);
}

type KeptOutput = { output: Ref; stdout: Ref } | { trouble: string };

async function keepOutput(
  result: ProgramResult,
  program: Prepared,
  store: Store,
  read: CliResult | undefined,
): Promise<KeptOutput> {
  if (result.outputError !== undefined) return { trouble: result.outputError.message };
  try {
    const stdout = await store.putFile(program.paths.stdout);
    // Without stderr both files are the same: no need to read the second.
    const output = result.stderrBytes === 0 ? stdout : await store.putFile(program.paths.output);
    return { output, stdout: read === undefined ? stdout : await store.put(read.text) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { trouble: error.message };
  }
}

function parseContract(
  result: Pick<ProgramResult, 'stdoutTail' | 'stdoutBytes'>,
  redactor: Redactor,
): Execution['contract'] {
  const isWhole = result.stdoutBytes <= contractTail || result.stdoutTail.trimEnd().includes('\n');
  const contract = isWhole ? parseCompletionContract(result.stdoutTail) : undefined;
  return contract === undefined ? undefined : redactContract(contract, redactor);
}
