import type { Execution } from './execution.ts';
import { withoutNoise } from './last-lines.ts';
import { limits } from '../limits/domain-limits.ts';
import { isWarning } from './line-kinds.ts';
import { clip, lastLines, oneLine, withoutColours } from '../text/text.ts';

/** Lines that are kept as the details of a failure. */
const saidLines = 12;

/** stderr is where programs complain; stdout is the second witness. */
export function saidBy(execution: Pick<Execution, 'stderrTail' | 'stdoutTail'>): string {
  const stderr = lastLines(withoutColours(execution.stderrTail), saidLines);
  return stderr === '' ? lastLines(withoutColours(execution.stdoutTail), saidLines) : stderr;
}

/** Where a failed program complained, for the rules: not its completion contract, and not warnings alone. */
export function readComplaint(execution: Execution): string {
  const stderr = withoutColours(execution.stderrTail);
  const complains = lastLines(stderr, saidLines)
    .split('\n')
    .some((line) => line !== '' && !isWarning(line));
  if (complains) return stderr;
  const stdout = withoutColours(execution.stdoutTail);
  return execution.contract === undefined ? stdout : stdout.trimEnd().replace(/(?:^|\n)[^\n]*$/, '');
}

/** One line: the program's last words, and how it ended. */
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

/** Whether an execution is a failure before anything was checked. A status other than success is believed. */
export function hasFailed({
  end,
  exitCode,
  contract,
  cli,
}: Pick<Execution, 'end' | 'exitCode' | 'contract' | 'cli'>): boolean {
  // Programs that say how they ended exit with 0 after failures too.
  if (cli !== undefined && cli.end !== 'done') return true;
  return end !== 'exited' || exitCode !== 0 || contract?.status === 'failed' || contract?.status === 'blocked';
}
