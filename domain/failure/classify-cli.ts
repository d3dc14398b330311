import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import { readComplaint, saidBy, summariseExit } from './describe-exit.ts';
import type { Execution } from './execution.ts';
import { buildFailure } from './build-failure.ts';
import { withoutNoise } from './last-lines.ts';
import { typeOfReason } from './reasons.ts';
import { findRule, type Finding } from './rules.ts';
import { hasOwnText } from './signature.ts';

/** What a status means whatever the words beside it are. */
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

/** A model or an address that is not there: asking again does not make it. */
const notFound = 404;

/** What an agent program says of its own failure, or that it ended without a word about its work. */
export function classifyCli(execution: Execution, { error }: CliFacts): Failure {
  if (error === undefined) return classifySilence(execution);
  const finding = findRule(error.message);
  const type = typeOfError(error, finding);
  const summary = summariseExit(execution, error.message);
  return buildFailure(type, {
    ...(finding?.type === type ? finding : {}),
    ...(type === 'auth' ? explainCredentials(error) : {}),
    summary,
    details: error.message,
    hasWords: hasOwnText(error.message),
  });
}

/** Names the variable, so that whoever is asked knows what to change. */
function explainCredentials({ credentials }: CliError): { cause?: string; fix?: string } {
  if (credentials === undefined) return {};
  const { program, keyEnv } = credentials;
  return {
    cause: `The key that ${program} reads from ${keyEnv}, or its own login, is missing, wrong, or may not use the model.`,
    fix: `Put a key that may use the model into ${keyEnv} where the worker runs, and start the worker again, or log in with ${program} there.`,
  };
}

function typeOfError(error: CliError, finding: Finding | undefined): FailureType {
  if (error.type !== undefined) return error.type;
  // A limit that says when it is lifted passes by itself, whatever it is called.
  if (error.resetsAt !== undefined) return 'rate-limited';
  const named = error.names.map(typeOfReason).find((type) => type !== undefined && type !== 'unknown');
  if (named !== undefined) return named === 'rate-limited' ? typeOfLimit(error, finding) : named;
  return typeOfStatus(error, finding);
}

function typeOfStatus({ status = 0, ...error }: CliError, finding: Finding | undefined): FailureType {
  const type = statuses[status] ?? finding?.type ?? (status === notFound ? 'context-missing' : 'tool-failed');
  const isLimit = type === 'rate-limited' || (type === 'subscription' && finding?.type === type);
  return isLimit ? typeOfLimit(error, finding) : type;
}

/** Services answer alike to a limit that passes and to an account that is used up: only the words, and a time to wait, tell them apart. */
const typeOfLimit = ({ retryAfterMs }: Pick<CliError, 'retryAfterMs'>, finding: Finding | undefined): FailureType =>
  finding?.type === 'subscription' && retryAfterMs === undefined ? 'subscription' : 'rate-limited';

function classifySilence(execution: Execution): Failure {
  const details = saidBy(execution);
  const finding = findRule(readComplaint(execution));
  const silent = 'The program ended without saying that it did its work.';
  const summary = execution.exitCode === 0 ? silent : summariseExit(execution, details);
  return buildFailure(finding?.type ?? 'tool-failed', {
    ...finding,
    summary,
    details,
    hasWords: hasOwnText(withoutNoise(readComplaint(execution))),
    ...(details === '' ? { signed: silent } : {}),
  });
}
