import { classify } from '../../domain/failure/classify.ts';
import type { Execution } from '../../domain/failure/execution.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Failed, Outcome, ResourceUsage } from '../../domain/types/outcome.ts';
import { contractStatuses, readCompletionContract } from '../../domain/output/completion-contract.ts';
import { addUsed } from '../../domain/llm/usage.ts';
import { clipStart, lastLines } from '../../domain/text/text.ts';

const silent: Execution = { end: 'exited', exitCode: 0, signal: null, stdoutTail: '', stderrTail: '' };

/** An execution of the user's own activity, and what the attempt had used before it: outcomes tell the whole attempt's use. */
export interface ActivityCall {
  name: string;
  timeout: number;
  usedBefore: ResourceUsage;
}

/** Reads the result of an activity of the user's own. Anything but a completion contract is a failure. */
export function outcomeOfActivity({ name, timeout, usedBefore }: ActivityCall, value: unknown): Outcome {
  const contract = readCompletionContract(value);
  if (contract === undefined) {
    const message = `The activity ${name} did not return a completion contract with a status of ${contractStatuses.join(', ')}.`;
    return failed({ ...silent, exitCode: 1, stderrTail: message }, timeout, usedBefore);
  }
  const { status, notes = '' } = contract;
  const used = addUsed(usedBefore, contract);
  if (status === 'failed' || status === 'blocked') {
    return failed({ ...silent, contract, stdoutTail: notes }, timeout, used);
  }
  return {
    kind: 'finished',
    used,
    reruns: 0,
    contract,
    preview: clipStart(lastLines(notes, 10), limits.preview),
    stdoutBytes: 0,
  };
}

/** The time limit of the attempt ended it. */
export const outOfTime = ({ timeout, usedBefore }: Pick<ActivityCall, 'timeout' | 'usedBefore'>): Failed =>
  failed({ ...silent, end: 'timeout', exitCode: null }, timeout, usedBefore);

function failed(execution: Execution, timeout: number, used: ResourceUsage): Failed {
  return { kind: 'failed', used, reruns: 0, failure: classify({ execution, timeout }) };
}
