import { nearest } from '../text/nearest.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from './limits.ts';
import { clip } from '../text/text.ts';

export type PlanPath = readonly (string | number)[];

/** The codes for a wrong value in a plan or in the config. */
export type IssueCode =
  | 'PLAN_UNKNOWN_KEY'
  | 'PLAN_WRONG_TYPE'
  | 'PLAN_NOT_SUPPORTED'
  | 'PLAN_PATH_OUTSIDE'
  | 'CONFIG_PROMPT_FIXED';

/** A problem of a plan with the path of the value, so that a plan file can name the line. */
export interface PlanProblem extends Problem {
  path: PlanPath;
}

/** Quotes a key or id for an error: short, on one line, without characters that a terminal obeys. */
export function quoteName(text: string): string {
  return `\`${clip(printable(text), planLimits.quoted)}\``;
}

function printable(text: string): string {
  return text
    .slice(0, planLimits.quoted + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Describes a value of a plan for people: `the string "x"`, `the number 4`, `a list`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') {
    return value === '' ? 'an empty string' : `the string "${clip(printable(value), planLimits.quoted)}"`;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : String(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** `subtasks[1].dependsOn[0]`; the whole plan is `plan`. */
export function formatPath(path: PlanPath): string {
  if (path.length === 0) return 'plan';
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${clip(printable(part), planLimits.quoted) || '""'}`))
    .join('')
    .replace(/^\./, '');
}

/** Returns the value at a path, if any. Only own keys count, because a plan may hold a key named `constructor`. */
export function valueAt(value: unknown, path: PlanPath): unknown {
  let here = value;
  for (const part of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined;
    here = Reflect.get(here, part);
  }
  return here;
}

/** Throws one problem as itself, and several as `PLAN_INVALID` with a list. */
export function planError(problems: readonly Problem[], where?: string): HeddleError {
  const listed = problems.slice(0, planLimits.problems).map(bare);
  const [first] = listed;
  if (first !== undefined && listed.length === 1) return new HeddleError(first);
  const count =
    problems.length >= planLimits.problems ? `${planLimits.problems} problems or more` : `${listed.length} problems`;
  const place = where ?? first?.where;
  return new HeddleError(
    {
      code: 'PLAN_INVALID',
      message: `The plan has ${count}.`,
      ...(place === undefined ? {} : { where: place }),
      hint: 'Correct each of the problems listed, then start the task again.',
    },
    listed,
  );
}

const bare = ({ code, message, where, hint }: Problem): Problem => ({
  code,
  message,
  ...(where === undefined ? {} : { where }),
  ...(hint === undefined ? {} : { hint }),
});

/** Explains an unknown name and suggests the nearest one. */
export function unknownName(
  what: 'executor' | 'role' | 'provider',
  name: string,
  knownNames: readonly string[],
): Required<Pick<Problem, 'message' | 'hint'>> {
  const suggestion = nearest(name, knownNames);
  const add = `add a table \`[${what}s.NAME]\` to heddle.toml`;
  const message = `There is no ${what} ${quoteName(name)} in the config`;
  if (suggestion !== undefined) {
    return { message: `${message}; did you mean \`${suggestion}\`?`, hint: `Write \`${suggestion}\`, or ${add}.` };
  }
  return { message: `${message}.`, hint: `Use one of: ${knownNames.join(', ')}; or ${add}.` };
}
