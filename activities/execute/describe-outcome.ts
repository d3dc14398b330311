import { classify } from '../../domain/failure/classify.ts';
import { hasFailed } from '../../domain/failure/describe-exit.ts';
import { limits } from '../../domain/limits.ts';
import type { Failed, Finished } from '../../domain/model/outcome.ts';
import { clipStart, lastLines } from '../../domain/text/text.ts';
import type { RunningRecord } from '../attempt/running-record.ts';
import type { Facts } from './describe-execution.ts';

/** Lines of an output that are enough to know what it ended with. */
const previewLines = 10;

/** What came of an execution, classified here and nowhere else. The record has what all executions of the attempt used. */
export function outcomeOf(
  facts: Facts,
  record: Pick<RunningRecord, 'used' | 'reruns' | 'restored'>,
  timeout: number,
): Finished | Failed {
  const told = toldOf(record, facts);
  if (hasFailed(facts)) return { kind: 'failed', failure: classify({ execution: facts, timeout }), ...told };
  return {
    kind: 'finished',
    ...(facts.contract === undefined ? {} : { contract: facts.contract }),
    preview: clipStart(lastLines(facts.stdoutTail, previewLines), limits.preview),
    ...(facts.stdout === undefined ? {} : { stdout: facts.stdout }),
    stdoutBytes: facts.stdoutBytes,
    ...told,
  };
}

/** What every outcome tells. */
export function toldOf(
  { used, reruns, restored }: Pick<RunningRecord, 'used' | 'reruns' | 'restored'>,
  { output }: Pick<Facts, 'output'>,
): Pick<Failed, 'used' | 'reruns' | 'output' | 'restored'> {
  return {
    used,
    reruns,
    ...(output === undefined ? {} : { output }),
    ...(restored === undefined ? {} : { restored }),
  };
}
