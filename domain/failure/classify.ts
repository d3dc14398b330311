import type { Execution } from './execution.ts';
import { buildFailure } from './build-failure.ts';
import { classifyCli } from './classify-cli.ts';
import { readComplaint, readDetails, summariseExit } from './describe-exit.ts';
import { formatDuration } from '../text/duration.ts';
import type { Failure } from '../types/basic/failure.ts';
import { parseReason } from './reasons.ts';
import { blockedRules } from './rules-work.ts';
import { failureRules, findRule, type RuleMatch } from './rules.ts';
import type { FailureCategory, FailureType } from '../types/basic/failure-types.ts';
import { withoutNoise } from './last-lines.ts';
import { hasOwnText } from './signature.ts';
import { limits } from '../limits/domain-limits.ts';
import { strategies } from './recovery-strategies.ts';
import { clip, lastLines, oneLine } from '../text/text.ts';

/** The facts of a failed execution. Structured facts are read before any text. */
export interface FailureFacts {
  execution: Execution;
  /** The time limit of the execution, in milliseconds. */
  timeout: number;
  /** The source's own name of the failure: a model's error type, a verifier's reason code. */
  reason?: string;
}

/** The exit code of the program `timeout`. */
const timedOut = 124;
/** EX_TEMPFAIL */
const tryLater = 75;

/** Exit codes with a meaning; the text may be more specific. EX_NOPERM and EX_CONFIG need a person. */
const exits: Partial<Record<number, { category: FailureCategory; type: FailureType }>> = {
  [tryLater]: { category: 'transient', type: 'overloaded' },
  77: { category: 'never-retry', type: 'permission' },
  78: { category: 'never-retry', type: 'auth' },
};

/** A shell's exit code for a program that exists but must not run. */
const mayNotRun = 126;

export function classify(facts: FailureFacts): Failure {
  const { execution } = facts;
  const reason = facts.reason === undefined ? undefined : parseReason(facts.reason);
  if (reason !== undefined)
    return buildFailure(reason, {
      summary: formatFailureSummary(execution),
      details: readDetails(execution),
      hasExplanation: explainsItself(execution),
    });
  if (execution.end === 'crashed') {
    const summary =
      'A crash interrupted the program and it is not known whether it finished; the plan says to ask before it runs again.';
    const details = [execution.stdoutTail.trimEnd(), execution.stderrTail].filter((part) => part !== '').join('\n');
    // How far it got is chance, so it is no part of the signature.
    return buildFailure('blocked', {
      summary,
      details,
      signed: summary,
      hasExplanation: false,
      cause: 'The worker stopped while the program ran.',
    });
  }
  if (execution.end === 'timeout' || execution.exitCode === timedOut) {
    return buildFailure('timeout', {
      summary: `It did not finish within ${formatDuration(facts.timeout)}.`,
      details: readDetails(execution),
      // The limit grows and the progress is chance, so neither is part of the signature.
      signed: 'timeout',
      hasExplanation: false,
    });
  }
  if (execution.cli !== undefined && execution.cli.end !== 'done') return classifyCli(execution, execution.cli);
  if (execution.contract?.status === 'blocked' && execution.exitCode !== tryLater) {
    const { notes } = execution.contract;
    const summary = notes ?? 'The program reports that it is blocked.';
    const hasExplanation = hasOwnText(notes ?? '') || explainsItself(execution);
    return buildFailure('blocked', { summary, details: readDetails(execution), hasExplanation });
  }
  return classifyExit(execution);
}

function classifyExit(execution: Execution): Failure {
  const details = readDetails(execution);
  const summary = formatFailureSummary(execution);
  const finding = findCause(execution);
  const hasExplanation = explainsItself(execution);
  const failAs = (type: FailureType): Failure =>
    buildFailure(type, { ...findingForType(finding, type), summary, details, hasExplanation });
  const exit = exits[execution.exitCode ?? 0];
  if (exit !== undefined) {
    return failAs(finding !== undefined && categoryOf(finding.type) === exit.category ? finding.type : exit.type);
  }
  if (finding?.type === 'environment') return failAs('environment');
  if (execution.end === 'not-started')
    return failAs(execution.exitCode === mayNotRun ? 'permission' : 'context-missing');
  if (finding !== undefined) return failAs(finding.type);
  const isSilent = details === '' && execution.exitCode === null && execution.signal === null;
  return failAs(isSilent ? 'unknown' : 'tool-failed');
}

/** A program's own report takes precedence over its other output. */
function findCause(execution: Execution): RuleMatch | undefined {
  const notes = readFailureNotes(execution);
  if (notes === '') return findRule(readComplaint(execution));
  const reported = findRule(notes, [...failureRules, ...blockedRules]);
  return reported ?? (execution.exitCode === 0 ? undefined : findRule(readComplaint(execution)));
}

const readFailureNotes = ({ contract }: Execution): string =>
  contract?.status === 'failed' ? (contract.notes ?? '').trim() : '';

/** A completion contract alone is not an explanation. */
const explainsItself = (execution: Execution): boolean =>
  hasOwnText(readFailureNotes(execution)) || hasOwnText(withoutNoise(readComplaint(execution)));

const formatFailureSummary = (execution: Execution): string =>
  readFailureNotes(execution) || summariseExit(execution, readDetails(execution));

const categoryOf = (type: FailureType): FailureCategory => strategies[type].category;

/** Crashes used up the retry policy of the rung. */
export function crashedTooOften(message: string): Failure {
  return buildFailure('environment', {
    summary: `The worker or its host stopped while it ran, too often: ${message}`,
    cause: 'The worker or its host stopped while it ran.',
  });
}

/** The retry policy is used up by a failure that was expected to pass. `last` is the failure of the last activity try. */
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

/** A failure of the machine that hits Heddle itself, not the program: a full disk, a process that does not end. */
export function buildMachineFailure(message: string): Failure {
  const finding = findRule(message);
  return buildFailure('environment', { ...findingForType(finding, 'environment'), summary: message });
}

/** The task was cancelled while it ran. */
export function cancelledMeanwhile(): Failure {
  return buildFailure('cancelled', { summary: 'It was stopped, because the task was cancelled.' });
}

/** An activity of the user's own failed for good: the failure's type is a fact, its message a text. */
export function activityFailed(message: string, type: string | undefined): Failure {
  const named = type === undefined ? undefined : parseReason(type);
  const finding = named === undefined ? findRule(message) : undefined;
  return buildFailure(named ?? finding?.type ?? 'tool-failed', {
    ...finding,
    summary: message,
    details: type === undefined ? message : `${type}: ${message}`,
    hasExplanation: hasOwnText(message),
  });
}

export function rejectedByPerson(reason: string): Failure {
  return buildFailure('verification-failed', { summary: `A person did not accept the result: ${reason}` });
}

const findingForType = (finding: RuleMatch | undefined, type: FailureType): Partial<RuleMatch> =>
  finding?.type === type ? finding : {};
