import type { Execution } from './execution.ts';
import { withoutNoise } from './last-lines.ts';
import { limits } from '../limits/domain-limits.ts';
import { isWarning } from './line-kinds.ts';
import { clip, lastLines, oneLine, withoutColours } from '../text/text.ts';

/** Most lines of output that the details of a failure keep. */
const mostDetailLines = 12;

/** Reads the details from stderr, or from stdout when stderr is empty. */
export function readDetails(execution: Pick<Execution, 'stderrTail' | 'stdoutTail'>): string {
  const stderr = lastLines(withoutColours(execution.stderrTail), mostDetailLines);
  return stderr === '' ? lastLines(withoutColours(execution.stdoutTail), mostDetailLines) : stderr;
}

/** Reads a failed program's complaint for the rules: without its completion contract, and not from warnings alone. */
export function readComplaint(execution: Execution): string {
  const stderr = withoutColours(execution.stderrTail);
  const complains = lastLines(stderr, mostDetailLines)
    .split('\n')
    .some((line) => line !== '' && !isWarning(line));
  if (complains) return stderr;
  const stdout = withoutColours(execution.stdoutTail);
  return execution.contract === undefined ? stdout : stdout.trimEnd().replace(/(?:^|\n)[^\n]*$/, '');
}

/** Formats one line: the program's last line of output, and how it ended. */
export function summariseExit(execution: Execution, text: string): string {
  const how =
    execution.signal !== null
      ? `it was ended by ${execution.signal}`
      : execution.end === 'not-started'
        ? 'it could not be started'
        : execution.exitCode === 0
          ? `it reported ${execution.contract?.status ?? 'failure'}`
          : `it exited with code ${execution.exitCode ?? '?'}`;
  const line = lastLines(withoutNoise(text), 1) || lastLines(text, 1);
  return line === ''
    ? `The program failed: ${how}.`
    : `${clip(oneLine(line), limits.summary - how.length - 3)} (${how})`;
}

/** Decides if an execution failed before anything was checked. A reported status other than success is taken at face value. */
export function hasFailed({
  end,
  exitCode,
  contract,
  cli,
}: Pick<Execution, 'end' | 'exitCode' | 'contract' | 'cli'>): boolean {
  // Programs that report how they ended exit with 0 after failures too.
  if (cli !== undefined && cli.end !== 'done') return true;
  return end !== 'exited' || exitCode !== 0 || contract?.status === 'failed' || contract?.status === 'blocked';
}
