import type { ErrorCode } from '../errors/error-codes.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from '../input/limits.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath } from '../input/problem.ts';

/** The code of a process for one of a plan. */
const codes: Partial<Record<ErrorCode, ErrorCode>> = {
  PLAN_SYNTAX: 'PROCESS_SYNTAX',
  PLAN_TOO_LARGE: 'PROCESS_TOO_LARGE',
  PLAN_UNKNOWN_KEY: 'PROCESS_UNKNOWN_KEY',
  PLAN_DUPLICATE_ID: 'PROCESS_DUPLICATE_ID',
  PLAN_UNKNOWN_DEPENDENCY: 'PROCESS_UNKNOWN_DEPENDENCY',
  PLAN_CYCLE: 'PROCESS_CYCLE',
  PLAN_SYNTHESIS_HAS_DEPENDENTS: 'PROCESS_SYNTHESIS_HAS_DEPENDENTS',
  PLAN_PATH_OUTSIDE: 'PROCESS_PATH_OUTSIDE',
  PLAN_INVALID: 'PROCESS_INVALID',
};

/** Finds the code of a process: a problem without one of its own is a wrong value. */
const toProcessCode = (code: ErrorCode): ErrorCode =>
  codes[code] ?? (/^(?:PLAN|CONFIG)_/.test(code) ? 'PROCESS_WRONG_TYPE' : code);

const subtasks: readonly [RegExp, string][] = [
  [/\bplans\b/g, 'processes'],
  [/\bplan\b/g, 'process'],
  [/\bPlan\b/g, 'Process'],
  [/\bsubtask\b/g, 'phase'],
  [/\bsubtasks\b/g, 'phases'],
];

/** Rewrites a sentence about a plan. What stands in backticks is a name of the file, and stays. */
const reword = (sentence: string): string =>
  sentence
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : subtasks.reduce((so, [from, to]) => so.replace(from, to), part)))
    .join('');

/** Rewords a problem that plan and process share for the process: its code and its words. */
export function toProcessProblem<P extends Problem>(problem: P): P {
  const { code, message, hint } = problem;
  return {
    ...problem,
    code: toProcessCode(code),
    message: reword(message),
    ...(hint === undefined ? {} : { hint: reword(hint) }),
  };
}

/** Rewords a problem of a graph, which names places of a plan's list. */
export function ofPhases({ message, hint, path, ...rest }: PlanProblem): PlanProblem {
  const inPhases = (text: string): string =>
    text.replaceAll('`subtasks[', '`phases[').replaceAll('`subtasks`', '`phases`');
  const place: PlanPath = path[0] === 'subtasks' ? ['phases', ...path.slice(1)] : path;
  return toProcessProblem({
    ...rest,
    message: inPhases(message),
    ...(hint === undefined ? {} : { hint: inPhases(hint) }),
    path: place,
    where: formatPath(place),
  });
}

const bare = ({ code, message, where, hint }: Problem): Problem => ({
  code,
  message,
  ...(where === undefined ? {} : { where }),
  ...(hint === undefined ? {} : { hint }),
});

/** Throws one problem as itself, and several as `PROCESS_INVALID` with a list. */
export function processError(problems: readonly Problem[], name: string): HeddleError {
  const listed = problems.slice(0, planLimits.problems).map(bare);
  const [first] = listed;
  if (first !== undefined && listed.length === 1) return new HeddleError(first);
  return new HeddleError(
    {
      code: 'PROCESS_INVALID',
      message: `The process has ${listed.length} problems.`,
      where: name,
      hint: 'Correct each of the problems listed.',
    },
    listed,
  );
}
