import { nearest } from '../text/nearest.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from './limits.ts';
import { clip } from '../text/text.ts';

export type PlanPath = readonly (string | number)[];

/** What can be wrong with a value of a plan or of the config. */
export type IssueCode =
  | 'PLAN_UNKNOWN_KEY'
  | 'PLAN_WRONG_TYPE'
  | 'PLAN_NOT_SUPPORTED'
  | 'PLAN_PATH_OUTSIDE'
  | 'CONFIG_PROMPT_FIXED';

/** A problem of a plan and the value it is about, so that a plan file can tell the line. */
export interface PlanProblem extends Problem {
  path: PlanPath;
}

/** Key or id as an error shows it: short, on one line, and nothing in it that a terminal obeys. */
export function quote(text: string): string {
  return `\`${clip(printable(text), planLimits.quoted)}\``;
}

function printable(text: string): string {
  return text
    .slice(0, planLimits.quoted + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** What was found in a plan, for people: `the string "x"`, `the number 4`, `a list`, `nothing`. */
export function describe(found: unknown): string {
  if (found === undefined || found === null) return 'nothing';
  if (typeof found === 'string') {
    return found === '' ? 'an empty string' : `the string "${clip(printable(found), planLimits.quoted)}"`;
  }
  if (typeof found === 'number') return Number.isFinite(found) ? `the number ${found}` : String(found);
  if (typeof found === 'boolean') return String(found);
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list';
  if (found instanceof Date) return 'a date';
  return typeof found === 'object' ? 'a map' : `a ${typeof found}`;
}

/** `subtasks[1].dependsOn[0]`; the whole plan is `plan`. */
export function formatPath(path: PlanPath): string {
  if (path.length === 0) return 'plan';
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${clip(printable(part), planLimits.quoted) || '""'}`))
    .join('')
    .replace(/^\./, '');
}

/** The value at a path, as far as there is one. Only own keys count: a plan may hold a key named `constructor`. */
export function valueAt(value: unknown, path: PlanPath): unknown {
  let here = value;
  for (const part of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined;
    here = Reflect.get(here, part);
  }
  return here;
}

/** One problem is thrown as itself; several as `PLAN_INVALID`, all listed. */
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

/** A name that nobody gave, and the one that was meant. */
export function unknownName(
  what: 'executor' | 'role' | 'provider',
  name: string,
  known: readonly string[],
): Required<Pick<Problem, 'message' | 'hint'>> {
  const meant = nearest(name, known);
  const add = `add a table \`[${what}s.NAME]\` to heddle.toml`;
  const message = `There is no ${what} ${quote(name)} in the config`;
  if (meant !== undefined) {
    return { message: `${message}; did you mean \`${meant}\`?`, hint: `Write \`${meant}\`, or ${add}.` };
  }
  return { message: `${message}.`, hint: `Use one of: ${known.join(', ')}; or ${add}.` };
}
