import { stat } from 'node:fs/promises';

import type { Execution } from '../../domain/failure/execution.ts';
import type { Ref } from '../../domain/model/ref.ts';
import { activityLimits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../store/system-error.ts';
import { parseCompletionContract } from '../../domain/output/completion-line.ts';
import { outputLimits } from '../../domain/output/limits.ts';
import type { NotStarted } from '../programs/explain-start.ts';
import type { Interrupted } from '../attempt/open-attempt.ts';
import type { Prepared } from './prepare-program.ts';
import { redactContract } from '../redact/redact-results.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { ProgramResult } from '../programs/run-program.ts';
import type { AttemptPaths } from '../home-layout.ts';
import { scratchFolder, scratchOutput } from '../attempt/scratch.ts';
import { tailOf } from '../programs/tail-buffer.ts';

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
    stderrTail: tailOf(reason.message, activityLimits.outputTail),
  };
}

/** A run that was cut off and must not be repeated unasked, with what is left of its output for whoever decides. */
export async function describeCrash(
  interrupted: Interrupted,
  paths: AttemptPaths,
  { store, redactor }: { store: Store; redactor: Redactor },
): Promise<Facts> {
  const what = interrupted.handedOver
    ? 'The program was stopped before it finished'
    : 'The worker died while the program ran';
  const stderrTail = `${what}; it is not known how far it got.`;
  if (interrupted.run === undefined) return { ...nothing, end: 'crashed', stderrTail };
  const left = scratchOutput(scratchFolder(paths, interrupted.run));
  try {
    const stdoutBytes = (await stat(left.stdout)).size;
    const stdout = await store.putFile(left.stdout);
    const output = await store.putFile(left.output);
    const printed = (await store.tail(stdout, contractTail)).toString();
    const contract = contractOf({ stdoutTail: printed, stdoutBytes }, redactor);
    return {
      ...nothing,
      end: 'crashed',
      stderrTail,
      stdoutTail: shownTail(printed, redactor),
      stdoutBytes,
      stdout,
      output,
      ...(contract === undefined ? {} : { contract }),
    };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { ...nothing, end: 'crashed', stderrTail };
  }
}

/** Moves the output into the store and says what the program did. */
export async function describeRun(result: ProgramResult, program: Prepared, store: Store): Promise<Facts> {
  const contract = contractOf(result, program.redactor);
  const kept = await keepOutput(result, program, store);
  const facts: Facts = {
    end: result.end === 'timeout' ? 'timeout' : 'exited',
    exitCode: result.exitCode,
    signal: result.signal,
    stdoutTail: shownTail(result.stdoutTail, program.redactor),
    stderrTail: shownTail(result.stderrTail, program.redactor),
    stdoutBytes: result.stdoutBytes,
    ...(contract === undefined ? {} : { contract }),
  };
  if (!('trouble' in kept)) return { ...facts, ...kept };
  const complaint = `Heddle could not keep the program's output or its record: ${kept.trouble}`;
  return {
    ...facts,
    exitCode: facts.exitCode === 0 ? outputLost : facts.exitCode,
    stderrTail: shownTail(`${result.stderrTail}\n${complaint}`, program.redactor),
  };
}

/** Secrets go before the cut: half a secret would not be recognised. */
function shownTail(text: string, redactor: Redactor): string {
  return tailOf(redactor.text(text), activityLimits.outputTail);
}

type Kept = { output: Ref; stdout: Ref } | { trouble: string };

async function keepOutput(result: ProgramResult, program: Prepared, store: Store): Promise<Kept> {
  if (result.outputError !== undefined) return { trouble: result.outputError.message };
  try {
    const stdout = await store.putFile(program.paths.stdout);
    // Without stderr both files are the same: no need to read the second.
    const output = result.stderrBytes === 0 ? stdout : await store.putFile(program.paths.output);
    return { output, stdout };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { trouble: error.message };
  }
}

function contractOf(
  result: Pick<ProgramResult, 'stdoutTail' | 'stdoutBytes'>,
  redactor: Redactor,
): Execution['contract'] {
  const isWhole = result.stdoutBytes <= contractTail || result.stdoutTail.trimEnd().includes('\n');
  const contract = isWhole ? parseCompletionContract(result.stdoutTail) : undefined;
  return contract === undefined ? undefined : redactContract(contract, redactor);
}
