import type { GivenAnswer, PlanProblem } from './wire.ts';

interface ErrorBody {
  code: string;
  message: string;
  where?: string;
  hint?: string;
  problems?: PlanProblem[];
  answer?: GivenAnswer;
  taskId?: string;
}

/** A refusal of the API, or no reply at all: then the status is 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }

  get code(): string {
    return this.body.code;
  }
}

/** The sentences of any error that a person can read. */
export function explainError(error: unknown): { message: string; hint: string } {
  if (!(error instanceof ApiError))
    return { message: error instanceof Error ? error.message : String(error), hint: '' };
  const { message, where, hint = '' } = error.body;
  return { message: where === undefined || message.includes(where) ? message : `${where}: ${message}`, hint };
}
