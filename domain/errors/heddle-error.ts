import type { ErrorCode } from './error-codes.ts';

/** What a person reads when something is refused: what, where, what to do, and a code that docs/errors.md explains. */
export interface Problem {
  code: ErrorCode;
  message: string;
  where?: string;
  hint?: string;
}

/** An error that is meant for a person. Everything else that is thrown is a bug or an accident. */
export class HeddleError extends Error {
  override readonly name = 'HeddleError';
  readonly code: ErrorCode;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  /** Set when several things are wrong at once. */
  readonly problems: readonly Problem[];

  constructor(problem: Problem, problems: readonly Problem[] = []) {
    super(problem.message);
    this.code = problem.code;
    this.where = problem.where;
    this.hint = problem.hint;
    this.problems = problems;
  }

  toJSON(): Problem & { problems?: readonly Problem[] } {
    return {
      code: this.code,
      message: this.message,
      ...(this.where === undefined ? {} : { where: this.where }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.problems.length === 0 ? {} : { problems: this.problems }),
    };
  }
}
