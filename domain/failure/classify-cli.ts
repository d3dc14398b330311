import type { CliError, CliFacts } from '../types/basic/completion-contract.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import { complaintOf, saidBy, summariseExit } from './describe-exit.ts';
import type { Execution } from './execution.ts';
import { failureOf } from './build-failure.ts';
import { messageOf } from './last-lines.ts';
import { typeOfReason } from './reasons.ts';
import { findRule, type Finding } from './rules.ts';
import { hasOwnWords } from './signature.ts';

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
  const found = findRule(error.message);
  const type = typeOfError(error, found);
  const summary = summariseExit(execution, error.message);
  return failureOf(type, {
    ...(found?.type === type ? found : {}),
    ...(type === 'auth' ? explainCredentials(error) : {}),
    summary,
    details: error.message,
    hasWords: hasOwnWords(error.message),
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

function typeOfError(error: CliError, found: Finding | undefined): FailureType {
  if (error.type !== undefined) return error.type;
  // A limit that says when it is lifted passes by itself, whatever it is called.
  if (error.resetsAt !== undefined) return 'rate-limited';
  const named = error.names.map(typeOfReason).find((type) => type !== undefined && type !== 'unknown');
  if (named !== undefined) return named === 'rate-limited' ? typeOfLimit(error, found) : named;
  return typeOfStatus(error, found);
}

function typeOfStatus({ status = 0, ...error }: CliError, found: Finding | undefined): FailureType {
  const type = statuses[status] ?? found?.type ?? (status === notFound ? 'context-missing' : 'tool-failed');
  const isLimit = type === 'rate-limited' || (type === 'subscription' && found?.type === type);
  return isLimit ? typeOfLimit(error, found) : type;
}

/** Services answer alike to a limit that passes and to an account that is used up: only the words, and a time to wait, tell them apart. */
const typeOfLimit = ({ retryAfterMs }: Pick<CliError, 'retryAfterMs'>, found: Finding | undefined): FailureType =>
  found?.type === 'subscription' && retryAfterMs === undefined ? 'subscription' : 'rate-limited';

function classifySilence(execution: Execution): Failure {
  const details = saidBy(execution);
  const found = findRule(complaintOf(execution));
  const silent = 'The program ended without saying that it did its work.';
  const summary = execution.exitCode === 0 ? silent : summariseExit(execution, details);
  return failureOf(found?.type ?? 'tool-failed', {
    ...found,
    summary,
    details,
    hasWords: hasOwnWords(messageOf(complaintOf(execution))),
    ...(details === '' ? { signed: silent } : {}),
  });
}
