import { z } from 'zod';
import { errorCodes } from '../../../domain/errors/error-codes.ts';
import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import { RateLimited } from '../limit-rate.ts';

/** A refusal with facts beside its problem, such as the answer that came first, and headers of its own. */
export class Refusal extends HeddleError {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    problem: HeddleError,
    { facts = {}, headers = {} }: { facts?: Record<string, unknown>; headers?: Record<string, string> },
  ) {
    super({ ...problem.toJSON() }, problem.problems);
    this.facts = facts;
    this.headers = headers;
  }
}

/** The one shape in which everything is refused. What is no error of ours is a bug, whose words are for the log alone. */
export function sendProblem(error: unknown, log: (error: unknown) => void): Response {
  const problem = toHeddleError(error);
  if (problem.code === 'INTERNAL') log(error);
  const facts = error instanceof Refusal ? error.facts : {};
  return Response.json(
    { error: { ...problem.toJSON(), ...facts } },
    { status: errorCodes[problem.code].http, headers: headersOf(error, problem) },
  );
}

function toHeddleError(error: unknown): HeddleError {
  if (error instanceof HeddleError) return error;
  if (error instanceof z.ZodError) return requestInvalid(error);
  return new HeddleError({ code: 'INTERNAL', message: 'Something went wrong; the log of the server has more' });
}

function headersOf(error: unknown, { code }: HeddleError): Record<string, string> {
  return {
    'cache-control': 'no-store',
    ...(code === 'AUTH_REQUIRED' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error instanceof RateLimited ? { 'retry-after': String(error.retryAfterS) } : {}),
    ...(error instanceof Refusal ? error.headers : {}),
  };
}

/** The problems that a schema found: one as itself, several as a list. */
function requestInvalid({ issues }: z.ZodError): HeddleError {
  const problems: Problem[] = issues.slice(0, mostProblems).map(({ path, message }) => ({
    code: 'REQUEST_INVALID',
    message,
    where: path.length === 0 ? 'the request' : path.map(String).join('.'),
  }));
  const [first] = problems;
  if (first !== undefined && problems.length === 1) return new HeddleError(first);
  return new HeddleError(
    {
      code: 'REQUEST_INVALID',
      message: `The request has ${issues.length} problems`,
      hint: 'Correct each of the problems listed.',
    },
    problems,
  );
}

const mostProblems = 100;
