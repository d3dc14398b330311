import { isErrorCode, type ErrorCode } from './error-codes.ts';
import type { Problem } from './heddle-error.ts';

/** A problem from another process, which may run another version: fields of a wrong type are dropped. */
export interface ForeignProblem {
  /** Undefined for an unknown code. */
  code: ErrorCode | undefined;
  message: string | undefined;
  where: string | undefined;
  hint: string | undefined;
  problems: Problem[];
  seen: string[] | undefined;
}

/** Reads what `HeddleError.toJSON` wrote. */
export function readProblem(value: unknown): ForeignProblem {
  const { code, message, where, hint, problems, found: seen } = asRecord(value);
  return {
    code: isErrorCode(code) ? code : undefined,
    message: asText(message),
    where: asText(where),
    hint: asText(hint),
    problems: Array.isArray(problems) ? problems.map(readListed) : [],
    seen: Array.isArray(seen) ? seen.filter((name) => typeof name === 'string') : undefined,
  };
}

/** A listed problem is shown even when its code is unknown here. */
function readListed(value: unknown): Problem {
  const { code = 'INTERNAL', message = 'a problem that this version does not know', where, hint } = readProblem(value);
  return { code, message, ...(where === undefined ? {} : { where }), ...(hint === undefined ? {} : { hint }) };
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
