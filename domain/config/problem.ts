import type { ErrorCode } from '../errors/error-codes.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from '../input/limits.ts';
import type { IssueCode, PlanProblem } from '../input/problem.ts';

const configCodes: Readonly<Record<IssueCode, ErrorCode>> = {
  PLAN_UNKNOWN_KEY: 'CONFIG_UNKNOWN_KEY',
  PLAN_WRONG_TYPE: 'CONFIG_WRONG_TYPE',
  PLAN_NOT_SUPPORTED: 'CONFIG_NOT_SUPPORTED',
  // No value of the config is a path in a workspace.
  PLAN_PATH_OUTSIDE: 'CONFIG_WRONG_TYPE',
  CONFIG_PROMPT_FIXED: 'CONFIG_PROMPT_FIXED',
};

/** Rewords a problem that plan and config share for the config: its code, and TOML's way to write maps. */
export function toConfigProblem(problem: PlanProblem & { code: IssueCode }): PlanProblem {
  return {
    ...problem,
    code: configCodes[problem.code],
    message: formatAsToml(problem.message),
    ...(problem.hint === undefined ? {} : { hint: formatAsToml(problem.hint) }),
  };
}

/** Rewrites `{ tier: next }` as `{ tier = "next" }`, and maps as tables. */
function formatAsToml(sentence: string): string {
  return sentence
    .replace(/`[^`]*`/g, (span) => span.replace(/(\w+): (?:([A-Za-z]\w*|\d+[a-z]+)\b)?/g, formatTomlPair))
    .replaceAll('a map', 'a table');
}

function formatTomlPair(_: string, key: string, word: string | undefined): string {
  if (word === undefined) return `${key} = `;
  return `${key} = ${word === 'true' || word === 'false' ? word : `"${word}"`}`;
}

/** Throws one problem as itself, and several as `CONFIG_INVALID` with a list. */
export function configError(problems: readonly Problem[]): HeddleError {
  const listed = problems.slice(0, planLimits.problems).map(({ code, message, where, hint }) => ({
    code,
    message,
    ...(where === undefined ? {} : { where }),
    ...(hint === undefined ? {} : { hint }),
  }));
  const [first] = listed;
  if (first !== undefined && listed.length === 1) return new HeddleError(first);
  return new HeddleError(
    {
      code: 'CONFIG_INVALID',
      message: `The config has ${listed.length} problems.`,
      hint: 'Correct each of the problems listed.',
    },
    listed,
  );
}
