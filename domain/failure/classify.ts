import type { Execution } from './execution.ts';
import { buildFailure } from './build-failure.ts';
import { classifyCli } from './classify-cli.ts';
import { readComplaint, saidBy, summariseExit } from './describe-exit.ts';
import { formatDuration } from '../text/duration.ts';
import type { Failure } from '../types/basic/failure.ts';
import { typeOfReason } from './reasons.ts';
import { blockedRules } from './rules-work.ts';
import { failureRules, findRule, type Finding } from './rules.ts';
import type { FailureCategory, FailureType } from '../types/basic/failure-types.ts';
import { withoutNoise } from './last-lines.ts';
import { hasOwnText } from './signature.ts';
import { limits } from '../limits/domain-limits.ts';
import { strategies } from './recovery-strategies.ts';
import { clip, lastLines, oneLine } from '../text/text.ts';

/** What is known of a failed execution. Structured facts are read before any text. */
export interface FailureFacts {
  execution: Execution;
  /** The time limit that held, in milliseconds. */
  timeout: number;
  /** The name that the source gave the failure: a model's error type, a verifier's reason code. */
  reason?: string;
}

/** What `timeout` exits with. */
const timedOut = 124;
/** EX_TEMPFAIL */
const tryLater = 75;

/** Exit codes that say what a failure means; the words may say more exactly what it is. EX_NOPERM and EX_CONFIG need a person. */
const exits: Partial<Record<number, { category: FailureCategory; type: FailureType }>> = {
  [tryLater]: { category: 'transient', type: 'overloaded' },
  77: { category: 'never-retry', type: 'permission' },
  78: { category: 'never-retry', type: 'auth' },
};

/** As a shell has it: found, but may not be run. */
const mayNotRun = 126;

export function classify(facts: FailureFacts): Failure {
  const { execution } = facts;
  const reason = facts.reason === undefined ? undefined : typeOfReason(facts.reason);
  if (reason !== undefined)
    return buildFailure(reason, {
      summary: formatExit(execution),
      details: saidBy(execution),
      hasWords: speaks(execution),
    });
  if (execution.end === 'crashed') {
    const summary =
      'A crash interrupted the program and it is not known whether it finished; the plan says to ask before it runs again.';
    const details = [execution.stdoutTail.trimEnd(), execution.stderrTail].filter((part) => part !== '').join('\n');
    // How far it came is chance.
    return buildFailure('blocked', {
      summary,
      details,
      signed: summary,
      hasWords: false,
      cause: 'The worker stopped while the program ran.',
    });
  }
  if (execution.end === 'timeout' || execution.exitCode === timedOut) {
    return buildFailure('timeout', {
      summary: `It did not finish within ${formatDuration(facts.timeout)}.`,
      details: saidBy(execution),
      // Without the limit, which grows, and without how far it came, which is chance.
      signed: 'timeout',
      hasWords: false,
    });
  }
  if (execution.cli !== undefined && execution.cli.end !== 'done') return classifyCli(execution, execution.cli);
  if (execution.contract?.status === 'blocked' && execution.exitCode !== tryLater) {
    const { notes } = execution.contract;
    const summary = notes ?? 'The program reports that it is blocked.';
    const hasWords = hasOwnText(notes ?? '') || speaks(execution);
    return buildFailure('blocked', { summary, details: saidBy(execution), hasWords });
  }
  return classifyExit(execution);
}

function classifyExit(execution: Execution): Failure {
  const details = saidBy(execution);
  const summary = formatExit(execution);
  const finding = findCause(execution);
  const hasWords = speaks(execution);
  const because = (type: FailureType): Failure =>
    buildFailure(type, { ...findingForType(finding, type), summary, details, hasWords });
  const meant = exits[execution.exitCode ?? 0];
  if (meant !== undefined) {
    return because(finding !== undefined && categoryOf(finding.type) === meant.category ? finding.type : meant.type);
  }
  if (finding?.type === 'environment') return because('environment');
  if (execution.end === 'not-started')
    return because(execution.exitCode === mayNotRun ? 'permission' : 'context-missing');
  if (finding !== undefined) return because(finding.type);
  const isSilent = details === '' && execution.exitCode === null && execution.signal === null;
  return because(isSilent ? 'unknown' : 'tool-failed');
}

/** What a program reports of itself comes before what it happened to print. */
function findCause(execution: Execution): Finding | undefined {
  const notes = readFailureNotes(execution);
  if (notes === '') return findRule(readComplaint(execution));
  const reported = findRule(notes, [...failureRules, ...blockedRules]);
  return reported ?? (execution.exitCode === 0 ? undefined : findRule(readComplaint(execution)));
}

const readFailureNotes = ({ contract }: Execution): string =>
  contract?.status === 'failed' ? (contract.notes ?? '').trim() : '';

/** Its completion contract is a form, not a complaint. */
const speaks = (execution: Execution): boolean =>
  hasOwnText(readFailureNotes(execution)) || hasOwnText(withoutNoise(readComplaint(execution)));

const formatExit = (execution: Execution): string =>
  readFailureNotes(execution) || summariseExit(execution, saidBy(execution));

const categoryOf = (type: FailureType): FailureCategory => strategies[type].category;

/** Used up by crashes: the policy of the rung could not absorb them. */
export function crashedTooOften(message: string): Failure {
  return buildFailure('environment', {
    summary: `The worker or its host stopped while it ran, too often: ${message}`,
    cause: 'The worker or its host stopped while it ran.',
  });
}

/** The retry policy is spent on trouble that was expected to pass. `last` is what the activity took the last try for. */
export function transientSpent(message: string, last?: Failure): Failure {
  const spent = 'A temporary failure did not go away';
  if (last !== undefined) return { ...last, summary: clip(oneLine(`${spent}: ${last.summary}`), limits.summary) };
  const finding = findRule(message);
  return buildFailure(finding !== undefined && categoryOf(finding.type) === 'transient' ? finding.type : 'overloaded', {
    summary: `${spent}: ${oneLine(lastLines(withoutNoise(message), 3)) || message}`,
    details: message,
    signed: message,
  });
}

/** Trouble of the machine that stands in our own way, not in the program's: a full disk, a process that does not end. */
export function machineTrouble(message: string): Failure {
  const finding = findRule(message);
  return buildFailure('environment', { ...findingForType(finding, 'environment'), summary: message });
}

/** Somebody ended the task while it ran. */
export function cancelledMeanwhile(): Failure {
  return buildFailure('cancelled', { summary: 'It was stopped, because the task was cancelled.' });
}

/** An activity of the user's own that failed for good: its failure's type is a fact, its message a text. */
export function activityFailed(message: string, type: string | undefined): Failure {
  const named = type === undefined ? undefined : typeOfReason(type);
  const finding = named === undefined ? findRule(message) : undefined;
  return buildFailure(named ?? finding?.type ?? 'tool-failed', {
    ...finding,
    summary: message,
    details: type === undefined ? message : `${type}: ${message}`,
    hasWords: hasOwnText(message),
  });
}

export function rejectedByPerson(reason: string): Failure {
  return buildFailure('verification-failed', { summary: `A person did not accept the result: ${reason}` });
}

const findingForType = (finding: Finding | undefined, type: FailureType): Partial<Finding> =>
  finding?.type === type ? finding : {};
