import { classify } from '../domain/failure/classify.ts';
import type { Execution } from '../domain/failure/execution.ts';
import { limits } from '../domain/limits.ts';
import type { Failed, Outcome } from '../domain/model/outcome.ts';
import { contractStatuses, readCompletionContract } from '../domain/output/completion-contract.ts';
import { clipStart, lastLines } from '../domain/text/text.ts';

const nothingUsed = { costUsd: 0, tokens: 0 };

const silent: Execution = { end: 'exited', exitCode: 0, signal: null, stdoutTail: '', stderrTail: '' };

/** What an activity of the user's own returned. Anything but a completion contract is a failure. */
export function outcomeOfActivity(name: string, value: unknown, timeout: number): Outcome {
  const contract = readCompletionContract(value);
  if (contract === undefined) {
    const said = `The activity ${name} did not return a completion contract with a status of ${contractStatuses.join(', ')}.`;
    return failed({ ...silent, exitCode: 1, stderrTail: said }, timeout);
  }
  const { status, notes = '', costUsd = 0, tokens = 0 } = contract;
  const used = { costUsd, tokens };
  if (status === 'failed' || status === 'blocked') {
    return failed({ ...silent, contract, stdoutTail: notes }, timeout, used);
  }
  return {
    kind: 'finished',
    used,
    reruns: 0,
    contract,
    preview: clipStart(lastLines(notes, 10), limits.preview),
    stdoutBytes: notes.length,
  };
}

/** The time limit of the attempt ended it. */
export const outOfTime = (timeout: number): Failed => failed({ ...silent, end: 'timeout', exitCode: null }, timeout);

function failed(execution: Execution, timeout: number, used = nothingUsed): Failed {
  return { kind: 'failed', used, reruns: 0, failure: classify({ execution, timeout }) };
}
