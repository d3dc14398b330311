import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import { readComplaint, readDetails, summariseExit } from './describe-exit.ts';
import type { Execution } from './execution.ts';
import { buildFailure } from './build-failure.ts';
import { withoutNoise } from './last-lines.ts';
import { parseReason } from './reasons.ts';
import { findRule, type RuleMatch } from './rules.ts';
import { hasOwnText } from './signature.ts';

/** Failure types of HTTP statuses that decide whatever text comes with them. */
const statuses: Readonly<Partial<Record<number, FailureType>>> = {
  401: 'auth',
  402: 'subscription',
  403: 'permission',
  407: 'auth',
  413: 'context-overflow',
  429: 'rate-limited',
  500: 'overloaded',
  502: 'overloaded',
  503: 'overloaded',
  504: 'overloaded',
  529: 'overloaded',
};

/** A model or an address that does not exist: asking again does not help. */
const notFound = 404;

/** Classifies an agent program's own error, or its end without any report. */
export function classifyCli(execution: Execution, { error }: CliFacts): Failure {
  if (error === undefined) return classifySilence(execution);
  const finding = findRule(error.message);
  const type = classifyError(error, finding);
  const summary = summariseExit(execution, error.message);
  return buildFailure(type, {
    ...(finding?.type === type ? finding : {}),
    ...(type === 'auth' ? explainCredentials(error) : {}),
    summary,
    details: error.message,
    hasExplanation: hasOwnText(error.message),
  });
}

/** Names the variable, so that the person who is asked knows what to change. */
function explainCredentials({ credentials }: CliError): { cause?: string; fix?: string } {
  if (credentials === undefined) return {};
  const { program, keyEnv } = credentials;
  return {
    cause: `The key that ${program} reads from ${keyEnv}, or its own login, is missing, wrong, or may not use the model.`,
    fix: `Set ${keyEnv} to a key that may use the model and answer from that shell, or log in with ${program} where the worker runs.`,
  };
}

function classifyError(error: CliError, finding: RuleMatch | undefined): FailureType {
  if (error.type !== undefined) return error.type;
  // A limit with a reset time passes by itself, whatever it is called.
  if (error.resetsAt !== undefined) return 'rate-limited';
  const named = error.names.map(parseReason).find((type) => type !== undefined && type !== 'unknown');
  if (named !== undefined) return named === 'rate-limited' ? classifyLimit(error, finding) : named;
  return classifyStatus(error, finding);
}

function classifyStatus({ status = 0, ...error }: CliError, finding: RuleMatch | undefined): FailureType {
  const type = statuses[status] ?? finding?.type ?? (status === notFound ? 'context-missing' : 'tool-failed');
  const isLimit = type === 'rate-limited' || (type === 'subscription' && finding?.type === type);
  return isLimit ? classifyLimit(error, finding) : type;
}

/** Services answer alike to a temporary limit and to a used-up account: only the text and a retry time tell them apart. */
const classifyLimit = ({ retryAfterMs }: Pick<CliError, 'retryAfterMs'>, finding: RuleMatch | undefined): FailureType =>
  finding?.type === 'subscription' && retryAfterMs === undefined ? 'subscription' : 'rate-limited';

function classifySilence(execution: Execution): Failure {
  const details = readDetails(execution);
  const finding = findRule(readComplaint(execution));
  const silent = 'The program ended without saying that it did its work.';
  const summary = execution.exitCode === 0 ? silent : summariseExit(execution, details);
  return buildFailure(finding?.type ?? 'tool-failed', {
    ...finding,
    summary,
    details,
    hasExplanation: hasOwnText(withoutNoise(readComplaint(execution))),
    ...(details === '' ? { signed: silent } : {}),
  });
}
