import type { Execution } from '../domain/model/attempt.ts';
import type { CompletionContract } from '../domain/model/completion-contract.ts';

const statuses: readonly string[] = ['success', 'partial', 'failed', 'blocked'];

const isStatus = (value: unknown): value is CompletionContract['status'] =>
  typeof value === 'string' && statuses.includes(value);

/** What an activity of the user's own returned, as the facts of an execution. Anything but a contract is a failed one. */
export function readContract(name: string, value: unknown, durationMs: number): Execution {
  const contract = toContract(value);
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
      : `The activity ${name} did not return a completion contract with a status of ${statuses.join(', ')}.`,
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

function toContract(value: unknown): CompletionContract | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value) || !isStatus(value.status)) return undefined;
  const { notes, deliverablesTouched, costUsd, tokens } = value as Record<string, unknown>;
  return {
    status: value.status,
    ...(typeof notes === 'string' ? { notes } : {}),
    ...(Array.isArray(deliverablesTouched)
      ? { deliverablesTouched: deliverablesTouched.filter((path): path is string => typeof path === 'string') }
      : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
    ...(isAmount(tokens) ? { tokens } : {}),
  };
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
