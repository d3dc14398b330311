import type { CliError } from '../types/basic/completion-contract.ts';
import { isTable } from '../input/is-table.ts';
import { countIn, buildCliError, listIn, parseLine, tableIn, textIn, type JsonFields } from './fields.ts';

/** Reads the error of a model service from its JSON, in the forms of Anthropic, OpenAI and Google. */
export function readServiceError(body: string): CliError | undefined {
  const whole = parseLine(body);
  const error = tableIn(whole, 'error');
  if (error === undefined) return undefined;
  const status = countIn(error, 'code');
  const isDaily = hasDailyLimit(error);
  const wait = isDaily ? undefined : retryDelayIn(error);
  return buildCliError(textIn(error, 'message') ?? body, {
    names: [textIn(error, 'code'), textIn(error, 'type'), textIn(error, 'status')],
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(isDaily ? { type: 'subscription' as const } : {}),
  });
}

/** Google's `QuotaFailure`: a daily limit is not lifted after the seconds that are given with it. */
const hasDailyLimit = (error: JsonFields): boolean =>
  listIn(error, 'details')
    .filter(isTable)
    .flatMap((detail) => listIn(detail, 'violations'))
    .some((violation) => isTable(violation) && /PerDay/i.test(textIn(violation, 'quotaId') ?? ''));

/** Google's `RetryInfo`: `{"retryDelay": "2s"}` among the details. */
function retryDelayIn(error: JsonFields): number | undefined {
  for (const detail of listIn(error, 'details')) {
    const delay = isTable(detail) ? textIn(detail, 'retryDelay') : undefined;
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return undefined;
}

/** Reads the number of an HTTP status in prose. */
export function statusIn(message: string): number | undefined {
  const digits = /\b(?:status(?: code)?|HTTP|API Error)[: (]{1,3}(\d{3})\b/i.exec(message)?.[1];
  const status = Number(digits);
  return status >= 400 && status < 600 ? status : undefined;
}
