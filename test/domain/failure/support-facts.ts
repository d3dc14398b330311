import type { Execution } from '../../../domain/failure/execution.ts';
import type { Issue, Verdict } from '../../../domain/types/attempt.ts';

/** A program that exited with 1 and said nothing. */
export const executionOf = (given: Partial<Execution> = {}): Execution => ({
  end: 'exited',
  exitCode: 1,
  signal: null,
  stdoutTail: '',
  stderrTail: '',
  ...given,
});

/** A failed verdict with these issues. */
export const foundOf = (...issues: Partial<Issue>[]): Pick<Verdict, 'issues' | 'commands'> => ({
  issues: issues.map((issue) => ({ code: 'partial', severity: 'hard', message: 'It is wrong.', ...issue })),
  commands: [],
});
