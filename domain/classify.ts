import type { Execution, Issue, Verdict } from './attempt.ts';
import { sayDuration } from './duration.ts';
import type { Failure } from './failure.ts';
import type { FailureCategory, FailureType } from './failure-types.ts';
import { limits } from './limits.ts';
import { signatureOf } from './signature.ts';
import { clip, clipStart, lastLines, oneLine, withoutColours, withoutStack } from './text.ts';

/** What is known of a failed attempt. Structured facts are read before any text. */
export interface FailureFacts {
  execution: Execution;
  verdict?: Verdict;
  /** The time limit that held, in milliseconds. */
  timeout: number;
}

const categories: Record<FailureType, FailureCategory> = {
  timeout: 'quality',
  'empty-output': 'quality',
  'format-invalid': 'quality',
  'missing-sections': 'quality',
  'diff-invalid': 'quality',
  'merge-conflict': 'quality',
  'context-missing': 'never-retry',
  'tool-failed': 'quality',
  'verification-failed': 'quality',
  'verifier-unreadable': 'quality',
  'evidence-gap': 'quality',
  'unconfirmed-data': 'quality',
  'rate-limited': 'transient',
  overloaded: 'transient',
  'context-overflow': 'quality',
  auth: 'never-retry',
  permission: 'never-retry',
  subscription: 'never-retry',
  environment: 'environment',
  safety: 'never-retry',
  budget: 'never-retry',
  blocked: 'blocked',
  cancelled: 'never-retry',
  unknown: 'quality',
};

/** What the next attempt should do about it; data, so that it can be overridden and translated. */
const suggestions: Partial<Record<FailureType, string>> = {
  timeout:
    'The time limit ended the previous attempt. Do the core requirement first, in smaller steps, and finish sooner.',
  'empty-output': 'Print the result on standard output; the previous attempt printed nothing.',
  'missing-sections': 'Write every missing section under a heading of exactly that name.',
  'diff-invalid': 'Print only a unified diff against the files as they are now in the workspace.',
  'format-invalid': 'Correct the syntax of the named files and check it before you finish.',
  'verification-failed': 'Make the failing checks pass; they run again exactly as shown.',
  'tool-failed': 'Read the error, remove its cause, and do not repeat the same approach.',
};

export function classify(facts: FailureFacts): Failure {
  const { execution, verdict } = facts;
  if (execution.end === 'crashed') {
    return failure(
      'blocked',
      'A crash interrupted the program and nobody knows whether it finished; the plan says to ask before it runs again.',
    );
  }
  if (execution.end === 'timeout' || execution.exitCode === 124) {
    // Signed without the limit, which grows, and without how far it came, which is chance.
    return failure('timeout', `It did not finish within ${sayDuration(facts.timeout)}.`, said(execution), 'timeout');
  }
  if (execution.contract?.status === 'blocked') {
    return failure('blocked', execution.contract.notes ?? 'The program reports that it is blocked.', said(execution));
  }
  if (verdict !== undefined && execution.exitCode === 0) return classifyVerdict(verdict);
  return classifyExit(execution);
}

function classifyExit(execution: Execution): Failure {
  const text = said(execution);
  const notes = execution.contract?.status === 'failed' ? (execution.contract.notes ?? '') : '';
  const summary = notes.trim() === '' ? summaryOf(execution, text) : notes;
  if (execution.exitCode === 77) return failure('permission', summary, text);
  if (execution.exitCode === 78) return failure('auth', summary, text);
  if (isEnvironment(`${notes}\n${text}`)) return failure('environment', summary, text);
  if (execution.end === 'not-started') return failure('context-missing', summary, text);
  const refused = refusalOf(`${text}\n${notes}`);
  if (refused !== undefined) return failure(refused, summary, text);
  return failure(
    text === '' && execution.exitCode === null && execution.signal === null ? 'unknown' : 'tool-failed',
    summary,
    text,
  );
}

/** The first of these that a verdict names decides; the feedback tells of all. */
const verdictOrder: [Issue['code'], FailureType][] = [
  ['deliverable-outside', 'safety'],
  ['merge-conflict', 'merge-conflict'],
  ['missing-sections', 'missing-sections'],
  ['diff-invalid', 'diff-invalid'],
  ['empty-output', 'empty-output'],
  ['syntax-invalid', 'format-invalid'],
];

function classifyVerdict(verdict: Verdict): Failure {
  const hard = verdict.issues.filter((issue) => issue.severity === 'hard');
  const outputs = verdict.commands.filter((command) => command.exit !== 0).map((command) => command.summary);
  const details = hard
    .map((issue) => (issue.details ? `${issue.message}\n${issue.details}` : issue.message))
    .join('\n');
  const summary = hard.length === 0 ? 'The checks did not pass.' : hard.map((issue) => issue.message).join(' ');
  const commandsOnly = hard.length > 0 && hard.every((issue) => issue.code === 'verify-command-failed');
  if (commandsOnly && outputs.some(isEnvironment)) return failure('environment', summary, details);
  const type = verdictOrder.find(([code]) => hard.some((issue) => issue.code === code))?.[1] ?? 'verification-failed';
  return failure(type, summary, details);
}

/** Used up by crashes: the policy of the rung could not absorb them. */
export function crashedTooOften(message: string): Failure {
  return failure('environment', `The worker or its host stopped while it ran, too often: ${message}`);
}

/** The retry policy is spent on trouble that was expected to pass. */
export function transientSpent(message: string): Failure {
  return failure('overloaded', `A temporary failure did not pass: ${message}`);
}

/** An activity of the user's own that failed for good. */
export function activityFailed(message: string, type: string | undefined): Failure {
  return failure('tool-failed', message, type === undefined ? message : `${type}: ${message}`);
}

export function rejectedByPerson(reason: string): Failure {
  return failure('verification-failed', `A person did not accept the result: ${reason}`);
}

function failure(
  type: FailureType,
  summary: string,
  details = '',
  signed = details === '' ? summary : `${summary}\n${details}`,
): Failure {
  return {
    type,
    category: categories[type],
    signature: signatureOf(type, signed),
    summary: clip(oneLine(summary), limits.summary),
    details: clipStart(details, limits.failureDetails),
    rootCause: '',
    suggestedFix: suggestions[type] ?? '',
  };
}

/** stderr is where programs complain; stdout is the second witness. */
function said(execution: Execution): string {
  const stderr = lastLines(withoutColours(execution.stderrTail), 12);
  return stderr === '' ? lastLines(withoutColours(execution.stdoutTail), 12) : stderr;
}

function summaryOf(execution: Execution, text: string): string {
  const how =
    execution.signal !== null
      ? `it was ended by ${execution.signal}`
      : execution.end === 'not-started'
        ? 'it could not be started'
        : execution.exitCode === 0
          ? `it reported ${execution.contract?.status ?? 'failure'}`
          : `it exited with code ${execution.exitCode ?? '?'}`;
  const line = lastLines(messageOf(text), 1) || lastLines(text, 1);
  return line === ''
    ? `The program failed: ${how}.`
    : `${clip(oneLine(line), limits.summary - how.length - 3)} (${how})`;
}

/** What Node prints below the message of an error that nobody caught. */
const nodeTail = /^ *(?:at .*\{|(?:errno|code|syscall|path|dest|address|port): .*|\}|Node\.js v\S+)$/gm;

/** An output without the lines that only say where in a program it happened. */
function messageOf(text: string): string {
  return withoutStack(text).replace(nodeTail, '');
}

/** System error names as programs print them, and the few sentences that mean the same. Whole words, never parts of one. */
const environmentPatterns = [
  /\b(?:ENOSPC|ENOMEM|EMFILE|ENFILE|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/,
  /\bno space left on device\b/i,
  /\bcannot allocate memory\b/i,
  /\btoo many open files\b/i,
  /\bdisk quota exceeded\b/i,
  /\btemporary failure in name resolution\b/i,
  /\bname or service not known\b/i,
  /\bcould not resolve host\b/i,
  /\bconnection (?:refused|timed out|reset by peer)\b/i,
  /\bcould(?: not|n't) connect to server\b/i,
  /\bno route to host\b/i,
  /\bnetwork is unreachable\b/i,
  /\bcould not get lock\b/i,
  /\bunable to create '[^'\n]{1,500}\.lock': file exists\b/i,
];

function isEnvironment(text: string): boolean {
  return environmentPatterns.some((pattern) => pattern.test(text));
}

/** What only a person can give: credentials, rights, a subscription. As programs say it in their last words. */
const refusals: [FailureType, RegExp[]][] = [
  [
    'subscription',
    [
      /\b(?:invalid|expired|inactive|no active) subscription\b/i,
      /\bsubscription (?:is |has )?(?:required|expired|inactive|invalid|not active)\b/i,
      /\b402 payment required\b/i,
      /\bcredit balance is too low\b/i,
      /\binsufficient_quota\b/,
    ],
  ],
  [
    'auth',
    [
      /\b401 unauthori[sz]ed\b/i,
      /\bunauthori[sz]ed\s*[:(]\s*401\b/i,
      /\bauthentication(?: |_)(?:failed|required|error)\b/i,
      /\b(?:invalid|bad|missing|incorrect|expired|no) (?:credentials?|(?:x-)?api[ -]?key|access token|auth token|password)\b/i,
      /\b(?:api[ -]?key|access token|credentials?) (?:is |are |has |was )?(?:missing|invalid|expired|required|not set|not found|not provided)\b/i,
      /\bnot logged in\b/i,
      /\blogin required\b/i,
      /\bcould not read (?:username|password) for\b/i,
      /\bpermission denied \(publickey\b/i,
    ],
  ],
  [
    'permission',
    [
      /\b(?:EACCES|EPERM)\b/,
      /\bpermission denied\b/i,
      /\boperation not permitted\b/i,
      /\baccess (?:is )?denied\b/i,
      /\b403 forbidden\b/i,
    ],
  ],
];

/** Only the last words count: further up such a sentence may be a warning, or what a test expected. */
const lastWords = 3;

function refusalOf(text: string): FailureType | undefined {
  const words = lastLines(messageOf(text), lastWords);
  return refusals.find(([, patterns]) => patterns.some((pattern) => pattern.test(words)))?.[0];
}
