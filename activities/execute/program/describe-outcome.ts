import { classify } from '../../../domain/failure/classify.ts';
import { hasFailed } from '../../../domain/failure/describe-exit.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { Denial } from '../../../domain/types/basic/completion-contract.ts';
import type { ShownLesson } from '../../../domain/types/basic/lessons.ts';
import type { Failed, Finished } from '../../../domain/types/outcome.ts';
import { clipStart, lastLines } from '../../../domain/text/text.ts';
import { listShown } from '../../memory/recall-lessons.ts';
import type { RunningRecord } from '../../attempt/running-record.ts';
import type { Facts } from './describe-execution.ts';

/** Lines of an output that are enough to know what it ended with. */
const previewLines = 10;

/** The facts of the record that every outcome has. */
type RecordFacts = Pick<RunningRecord, 'used' | 'reruns' | 'restored' | 'session'> & {
  lessons?: readonly ShownLesson[];
};

const asRefusal = ({ tool, what }: Denial): { tool: string; why: string } => ({
  tool,
  why: `its program does not allow it: ${what}`,
});

/** Builds the outcome of an execution, classified here and nowhere else. The record has the usage of all executions of the attempt. */
export function buildOutcome(facts: Facts, record: RecordFacts, timeout: number): Finished | Failed {
  const recorded = buildOutcomeFacts(record, facts);
  if (hasFailed(facts)) return { kind: 'failed', failure: classify({ execution: facts, timeout }), ...recorded };
  return {
    kind: 'finished',
    ...(facts.contract === undefined ? {} : { contract: facts.contract }),
    preview: clipStart(lastLines(facts.stdoutTail, previewLines), limits.preview),
    ...(facts.stdout === undefined ? {} : { stdout: facts.stdout }),
    stdoutBytes: facts.stdoutBytes,
    ...recorded,
  };
}

/** Facts that every outcome has. */
export function buildOutcomeFacts(
  { used, reruns, restored, session, lessons = [] }: RecordFacts,
  { output, cli }: Pick<Facts, 'output' | 'cli'>,
): Pick<Failed, 'used' | 'reruns' | 'output' | 'restored' | 'session' | 'denied' | 'refusals' | 'lessons'> {
  const denied = cli?.denied ?? [];
  return {
    used,
    reruns,
    ...(output === undefined ? {} : { output }),
    ...(restored === undefined ? {} : { restored }),
    ...(session === undefined ? {} : { session }),
    ...(lessons.length === 0 ? {} : { lessons: listShown(lessons) }),
    ...(denied.length === 0 ? {} : { denied, refusals: denied.map(asRefusal) }),
  };
}
