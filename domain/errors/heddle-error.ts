import type { ErrorCode } from './error-codes.ts';

/**
 * A refusal as a person reads it: what is wrong, where, what to do, and a code that docs/errors.md explains.
 *
 * @example
 * ```ts
 * const problem: Problem = { code: 'PLAN_EMPTY', message: 'The plan has no subtasks', hint: 'Add one under `subtasks`.' };
 * ```
 */
export interface Problem {
  code: ErrorCode;
  message: string;
  where?: string;
  hint?: string;
  /** The names of what was seen where something is missing: keys, programs, servers. */
  seen?: readonly string[];
}

/**
 * An error that is meant for a person. Anything else that is thrown is a bug.
 *
 * @example
 * ```ts
 * try {
 *   await task.decide({ decisionId: 'deploy-1', option: 'retry' });
 * } catch (error) {
 *   if (error instanceof HeddleError) console.error(error.code, error.message, error.hint);
 * }
 * ```
 */
export class HeddleError extends Error {
  override readonly name = 'HeddleError';
  /** The code, which docs/errors.md explains. */
  readonly code: ErrorCode;
  /** The file, key or line that the error is about. */
  readonly where: string | undefined;
  /** The next step for the reader. */
  readonly hint: string | undefined;
  /** Set when several things are wrong at once. */
  readonly problems: readonly Problem[];
  /** The names of what was seen where something is missing. */
  readonly seen: readonly string[] | undefined;

  constructor(problem: Problem, problems: readonly Problem[] = []) {
    super(problem.message);
    this.code = problem.code;
    this.where = problem.where;
    this.hint = problem.hint;
    this.problems = problems;
    this.seen = problem.seen;
  }

  /** Returns the error as `--json` prints it. */
  toJSON(): Omit<Problem, 'seen'> & { problems?: readonly Problem[] } & Partial<Record<'found', readonly string[]>> {
    return {
      code: this.code,
      message: this.message,
      ...(this.where === undefined ? {} : { where: this.where }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.problems.length === 0 ? {} : { problems: this.problems }),
      ...(this.seen === undefined ? {} : { found: this.seen }),
    };
  }
}
