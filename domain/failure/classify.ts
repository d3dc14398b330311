import type { Execution, Issue, Verdict } from '../model/attempt.ts';
import { complaintOf, saidBy, summariseExit } from './describe-exit.ts';
import { sayDuration } from '../text/duration.ts';
import type { Failure } from '../model/failure.ts';
import { typeOfReason } from './reasons.ts';
import { environmentRules } from './rules-machine.ts';
import { blockedRules } from './rules-work.ts';
import { failureRules, findRule, type Finding } from './rules.ts';
import type { FailureCategory, FailureType } from '../model/failure-types.ts';
import { messageOf } from './last-words.ts';
import { limits } from '../limits.ts';
import { signatureOf } from './signature.ts';
import { strategies } from '../recovery/strategies.ts';
import { clip, clipStart, lastLines, oneLine, sayList } from '../text/text.ts';

/** What is known of a failed attempt. Structured facts are read before any text. */
export interface FailureFacts {
  execution: Execution;
  verdict?: Verdict;
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
  const { execution, verdict } = facts;
  const reason = facts.reason === undefined ? undefined : typeOfReason(facts.reason);
  if (reason !== undefined) return failureOf(reason, { summary: sayExit(execution), details: saidBy(execution) });
  if (execution.end === 'crashed') {
    return failureOf('blocked', {
      summary:
        'A crash interrupted the program and nobody knows whether it finished; the plan says to ask before it runs again.',
      cause: 'The worker stopped while the program ran.',
    });
  }
  if (execution.end === 'timeout' || execution.exitCode === timedOut) {
    return failureOf('timeout', {
      summary: `It did not finish within ${sayDuration(facts.timeout)}.`,
      details: saidBy(execution),
      // Without the limit, which grows, and without how far it came, which is chance.
      signed: 'timeout',
    });
  }
  if (execution.contract?.status === 'blocked' && execution.exitCode !== tryLater) {
    const summary = execution.contract.notes ?? 'The program reports that it is blocked.';
    return failureOf('blocked', { summary, details: saidBy(execution) });
  }
  if (verdict !== undefined && execution.exitCode === 0) return classifyVerdict(verdict);
  return classifyExit(execution);
}

function classifyExit(execution: Execution): Failure {
  const details = saidBy(execution);
  const summary = sayExit(execution);
  const found = findInWords(execution);
  const because = (type: FailureType): Failure => failureOf(type, { ...causeOf(found, type), summary, details });
  const meant = exits[execution.exitCode ?? 0];
  if (meant !== undefined) {
    return because(found !== undefined && categoryOf(found.type) === meant.category ? found.type : meant.type);
  }
  if (found?.type === 'environment') return because('environment');
  if (execution.end === 'not-started')
    return because(execution.exitCode === mayNotRun ? 'permission' : 'context-missing');
  if (found !== undefined) return because(found.type);
  const isSilent = details === '' && execution.exitCode === null && execution.signal === null;
  return because(isSilent ? 'unknown' : 'tool-failed');
}

/** What a program reports of itself comes before what it happened to print. */
function findInWords(execution: Execution): Finding | undefined {
  const notes = notesOf(execution);
  if (notes === '') return findRule(complaintOf(execution));
  const reported = findRule(notes, [...failureRules, ...blockedRules]);
  return reported ?? (execution.exitCode === 0 ? undefined : findRule(complaintOf(execution)));
}

const notesOf = ({ contract }: Execution): string =>
  contract?.status === 'failed' ? (contract.notes ?? '').trim() : '';

const sayExit = (execution: Execution): string => notesOf(execution) || summariseExit(execution, saidBy(execution));

const categoryOf = (type: FailureType): FailureCategory => strategies[type].category;

/** The first of these that a verdict names decides; the feedback tells of all. */
const verdictOrder: [Issue['code'], FailureType][] = [
  ['deliverable-outside', 'safety'],
  ['merge-conflict', 'merge-conflict'],
  ['missing-sections', 'missing-sections'],
  ['diff-invalid', 'diff-invalid'],
  ['empty-output', 'empty-output'],
  ['syntax-invalid', 'format-invalid'],
  ['evidence-gap', 'evidence-gap'],
  ['unconfirmed-data', 'unconfirmed-data'],
  ['verifier-unreadable', 'verifier-unreadable'],
];

function classifyVerdict(verdict: Verdict): Failure {
  const hard = verdict.issues.filter((issue) => issue.severity === 'hard');
  const details = hard
    .map((issue) => (issue.details ? `${issue.message}\n${issue.details}` : issue.message))
    .join('\n');
  const summary = hard.length === 0 ? 'The checks did not pass.' : hard.map((issue) => issue.message).join(' ');
  const sick = findSickness(verdict, hard);
  if (sick !== undefined) return failureOf('environment', { ...sick, summary, details });
  const type = verdictOrder.find(([code]) => hard.some((issue) => issue.code === code))?.[1] ?? 'verification-failed';
  return failureOf(type, { summary, details, ...(type === 'missing-sections' ? { fix: nameSections(hard) } : {}) });
}

/** Commands that fail for the machine's sake say nothing about the work. One that fails for another reason does. */
function findSickness(verdict: Verdict, hard: readonly Issue[]): Finding | undefined {
  if (hard.length === 0 || hard.some((issue) => issue.code !== 'verify-command-failed')) return undefined;
  const said = [
    ...hard.map((issue) => issue.details ?? ''),
    ...verdict.commands.filter(({ exit }) => exit !== 0).map(({ summary }) => summary),
  ];
  for (const text of said) {
    const found = findRule(text, environmentRules);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameSections(issues: readonly Issue[]): string {
  const names = issues.flatMap(({ code, details }) =>
    code === 'missing-sections' ? (details ?? '').split('\n').filter((name) => name.trim() !== '') : [],
  );
  const { emphasis } = strategies['missing-sections'];
  return names.length === 0 ? emphasis : `${emphasis.replace(/\.$/, '')}: ${sayList(names, 10)}.`;
}

/** Used up by crashes: the policy of the rung could not absorb them. */
export function crashedTooOften(message: string): Failure {
  return failureOf('environment', {
    summary: `The worker or its host stopped while it ran, too often: ${message}`,
    cause: 'The worker or its host stopped while it ran.',
  });
}

/** The retry policy is spent on trouble that was expected to pass. `type` is what the activity took it for. */
export function transientSpent(message: string, type?: unknown): Failure {
  const known = type === 'rate-limited' || type === 'overloaded' ? type : undefined;
  const found = findRule(message);
  return failureOf(
    known ?? (found !== undefined && categoryOf(found.type) === 'transient' ? found.type : 'overloaded'),
    {
      summary: `A temporary failure did not pass: ${oneLine(lastLines(messageOf(message), 3)) || message}`,
      details: message,
      signed: message,
    },
  );
}

/** An activity of the user's own that failed for good: its failure's type is a fact, its message a text. */
export function activityFailed(message: string, type: string | undefined): Failure {
  const named = type === undefined ? undefined : typeOfReason(type);
  const found = named === undefined ? findRule(message) : undefined;
  return failureOf(named ?? found?.type ?? 'tool-failed', {
    ...found,
    summary: message,
    details: type === undefined ? message : `${type}: ${message}`,
  });
}

export function rejectedByPerson(reason: string): Failure {
  return failureOf('verification-failed', { summary: `A person did not accept the result: ${reason}` });
}

const causeOf = (found: Finding | undefined, type: FailureType): Partial<Finding> =>
  found?.type === type ? found : {};

function failureOf(
  type: FailureType,
  said: { summary: string; details?: string; signed?: string; cause?: string; fix?: string },
): Failure {
  const { summary, details = '' } = said;
  const strategy = strategies[type];
  return {
    type,
    category: strategy.category,
    signature: signatureOf(type, said.signed ?? (details === '' ? summary : `${summary}\n${details}`)),
    summary: clip(oneLine(summary), limits.summary),
    details: clipStart(details, limits.failureDetails),
    rootCause: said.cause ?? strategy.cause,
    suggestedFix: said.fix ?? strategy.emphasis,
  };
}
