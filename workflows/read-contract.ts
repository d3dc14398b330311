import type { Execution } from '../domain/model/attempt.ts';
import { contractStatuses, readCompletionContract } from '../domain/output/completion-contract.ts';

/** What an activity of the user's own returned, as the facts of an execution. Anything but a contract is a failed one. */
export function readContract(name: string, value: unknown, durationMs: number): Execution {
  const contract = readCompletionContract(value);
  const notes = contract?.notes ?? '';
  const done = contract !== undefined;
  return {
    ...nothing,
    end: 'exited',
    exitCode: done ? 0 : 1,
    ...(done ? { contract } : {}),
    stdoutTail: notes,
    stderrTail: done
      ? ''
      : `The activity ${name} did not return a completion contract with a status of ${contractStatuses.join(', ')}.`,
    stdoutBytes: notes.length,
    durationMs,
  };
}

/** An activity of the user's own that the time limit ended. */
export const outOfTime = (durationMs: number): Execution => ({ ...nothing, end: 'timeout', durationMs });

const nothing = {
  exitCode: null,
  signal: null,
  stdoutTail: '',
  stderrTail: '',
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: false,
  reruns: 0,
  before: [],
};
