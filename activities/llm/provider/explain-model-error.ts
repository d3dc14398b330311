import { parseReason } from '../../../domain/failure/reasons.ts';
import { findRule } from '../../../domain/failure/rules.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { parseRetryAfter } from '../../temporal/retry-after.ts';
import type { ModelError } from '../ports/model.ts';
import { readErrorBody, readErrorValue, type ErrorBody } from './read-error-body.ts';
import { modelError, voidReply, formatProvider, type KeyedRequest, type ModelFailureType } from './model-trouble.ts';

/** The error of a service in place of a reply. */
export interface Refusal {
  status: number;
  headers: Headers;
  body: string;
}

/** The names of our own scripted server. */
const exhausted = 'SCRIPT_EXHAUSTED';

/** A status that is no success, by its structured facts first, then by its words, then by the number alone. */
export function explainRefusal({ status, headers, body }: Refusal, subject: KeyedRequest): ModelError {
  const read = readErrorBody(body);
  if (read.names.includes(exhausted)) return explainExhausted(read, subject);
  const trouble = classifyError(read, status);
  const retryAfter = askedToWait(headers, body);
  return modelError(trouble, subject, {
    status,
    names: read.names,
    providerText: read.message,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** An error that a service sent inside a reply that had begun well. Without a name it is a reply that broke off. */
export function explainErrorPart(value: unknown, subject: KeyedRequest): ModelError {
  const read = readErrorValue(value);
  if (read.names.length === 0 && read.status === undefined) return cutReply(subject, read.message);
  const trouble = classifyError(read, read.status ?? 500);
  const retryAfter = parseWait(read.message);
  return modelError(trouble, subject, {
    names: read.names,
    providerText: read.message,
    ...(read.status === undefined ? {} : { status: read.status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

export const cutReply = (subject: KeyedRequest, providerText = ''): ModelError =>
  voidReply(subject, `${formatProvider(subject)} did not finish its reply: the stream was cut.`, providerText);

function explainExhausted({ message }: ErrorBody, subject: KeyedRequest): ModelError {
  return modelError('context-missing', subject, {
    names: [exhausted],
    summary: message,
    cause: 'The script needs an entry that fits this request, or more `times` of one that is used up.',
    fix: 'Add an entry that fits to the script, or raise `times` of one that is used up.',
    code: exhausted,
  });
}

/** The trouble that each of our failure types stands for; types that are missing here say nothing about a call. */
const asTrouble: Partial<Record<FailureType, ModelFailureType>> = {
  'rate-limited': 'rate-limited',
  overloaded: 'overloaded',
  'context-overflow': 'context-overflow',
  auth: 'auth',
  permission: 'auth',
  subscription: 'subscription',
  budget: 'subscription',
  safety: 'safety',
};

/** More than is allowed at once never gets smaller by waiting. */
const tooLargeAtOnce = /\brequest too large\b/i;

function classifyError({ names, message }: ErrorBody, status: number): ModelFailureType {
  const named = names.flatMap((name) => asTrouble[parseReason(name) ?? 'unknown'] ?? []);
  // Lasting trouble comes before trouble that passes: some services report missing credit as a rate limit too.
  const lasting = named.find((trouble) => trouble !== 'rate-limited' && trouble !== 'overloaded');
  if (lasting !== undefined) return lasting;
  if (named.includes('rate-limited') && tooLargeAtOnce.test(message)) return 'context-overflow';
  const byStatus = named[0] ?? troubleOfStatus(status);
  if (named.length > 0) return byStatus;
  const byMessage = asTrouble[findRule(message)?.type ?? 'unknown'];
  return byMessage !== undefined && mayRefine[byStatus]?.includes(byMessage) ? byMessage : byStatus;
}

/** The words that are taken at face value beside each status. */
const mayRefine: Partial<Record<ModelFailureType, readonly ModelFailureType[]>> = {
  auth: ['subscription', 'safety'],
  'rate-limited': ['subscription', 'context-overflow'],
  overloaded: ['context-overflow'],
  'tool-failed': ['subscription', 'context-overflow', 'safety', 'auth', 'rate-limited', 'overloaded'],
  'context-missing': ['subscription'],
};

const statuses: Readonly<Partial<Record<number, ModelFailureType>>> = {
  401: 'auth',
  402: 'subscription',
  403: 'auth',
  404: 'context-missing',
  405: 'context-missing',
  407: 'auth',
  // Time-outs and conflicts of the service itself.
  408: 'overloaded',
  409: 'overloaded',
  410: 'context-missing',
  413: 'context-overflow',
  425: 'overloaded',
  429: 'rate-limited',
};

function troubleOfStatus(status: number): ModelFailureType {
  const mapped = statuses[status];
  if (mapped !== undefined) return mapped;
  if (status >= 500) return 'overloaded';
  // A redirect would take the key elsewhere; it is not followed.
  return status < 400 ? 'context-missing' : 'tool-failed';
}

function askedToWait(headers: Headers, body: string): number | undefined {
  // The last form counts: the exact header before the body, milliseconds before seconds.
  const forms = ['retry-after', 'retry-after-ms'].map((name) => `${name}: ${headers.get(name) ?? ''}`);
  return parseWait(forms.join('\n')) ?? parseWait(body);
}

/** A quota may be lifted hours later: each caller has its own limit for a wait. */
const parseWait = (text: string): number | undefined => parseRetryAfter(text, Date.now(), activityLimits.planWait.most);
