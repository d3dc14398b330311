import type { Failure } from '../../types/basic/failure.ts';
import type { FailureType } from '../../types/basic/failure-types.ts';
import { strategies } from '../../failure/recovery-strategies.ts';
import { plainEnglish } from '../../text/text.ts';

/** The rest of a sentence that begins with the subtask. A person who is no engineer understands it. */
const problemTexts: Partial<Record<FailureType, string>> = {
  timeout: 'did not finish within its time limit',
  'empty-output': 'printed no result',
  'format-invalid': 'produced output that is not well-formed',
  'missing-sections': 'did not write all required sections',
  'diff-invalid': 'produced changes that cannot be applied',
  'merge-conflict': 'made changes that conflict with other changes',
  'context-missing': 'needs a program, a file or a setting that is missing',
  'tool-failed': 'ended with an error',
  'verification-failed': 'produced a result that does not pass its checks',
  overloaded: 'depends on a service that is still overloaded or unavailable',
  'rate-limited': 'depends on a service that is still limiting requests',
  auth: 'needs credentials or settings that are missing or not accepted',
  permission: 'lacks a permission that it needs',
  subscription: 'needs a subscription that is not valid',
  environment: 'cannot work because of a problem with the machine or the network',
  'verifier-unreadable': 'produced a result that could not be judged',
  'evidence-gap': 'makes claims without evidence',
  'unconfirmed-data': 'uses data that could not be confirmed',
  'context-overflow': 'is more than its model can handle at once',
  safety: 'did or asked for something that is not allowed and was stopped',
  budget: 'has used up its own budget',
  blocked: 'reports that it cannot continue',
};

export const formatFailureType = ({ type }: Pick<Failure, 'type'>): string => problemTexts[type] ?? 'failed';

/** Why, as one more sentence; empty where nothing is known beyond the type. */
export function formatCause({ type, rootCause, summary }: Failure): string {
  const reason = type === 'blocked' ? plainEnglish(summary) : '';
  if (reason !== '') return ` Its reason: ${reason}`;
  const cause = plainEnglish(rootCause);
  return cause === '' || cause === strategies[type].cause ? '' : ` ${cause}`;
}

/** Endings of a program's own line, in words of ours. */
const ending = / \((it (?:exited with code|was ended by|reported|could not be started)[^()]{0,40})\)$/u;

/** Names of errors and their numbers, prefixes of programs, code and markup: lines that are for engineers. */
const raw =
  /\b[A-Za-z]*(?:Error|Exception)\b|\bE[A-Z]{3,}\b|\b(?:ERR|error|fatal|panic|warning)!?(?:\[\w*\])?:|\bERR!|\b(?:undefined|null|NaN|nil|stderr|stdout|errno|errno=\d+|0x[\da-f]+|segfault|core dumped)\b|^\S{1,40}:(?: |\d|$)|::|=>|->|\w\(|[{}<>=|\\$#;@~^*[\]]|\.\w+:\d|\b[A-Z]{2,}\d{2,}\b|--\w/u;

/** Failures that checks, judges and we put into words: no program's line is in them. */
const spoken: ReadonlySet<FailureType> = new Set<FailureType>([
  'verification-failed',
  'missing-sections',
  'timeout',
  'evidence-gap',
  'unconfirmed-data',
  'budget',
]);

/** How an attempt failed, in plain words: its own where they are, else ours. The raw line is in the attempts of the task. */
export function plainSummary(failure: Failure): string {
  const summary = plainEnglish(failure.summary);
  const [suffix = '', end] = ending.exec(summary) ?? [];
  const line = summary.slice(0, summary.length - suffix.length);
  if (line !== '' && (spoken.has(failure.type) || !raw.test(line))) return summary;
  const how = end === undefined ? '' : ` (${end})`;
  return `It ${formatFailureType(failure)}${how}.${failure.type === 'blocked' ? '' : formatCause(failure)}`;
}
