import { errorCodes } from '../../../domain/errors/error-codes.ts';
import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import { jsonText, type Output } from './output.ts';
import type { Paint } from '../../terminal/text/paint.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';

type ShownError = Problem & { problems?: readonly Problem[] };

/** Says an error on stderr, as one JSON object with `--json`, and returns the exit code it stands for. */
export function showError(error: unknown, output: Output, env: Readonly<Record<string, string | undefined>>): number {
  const isExpected = error instanceof HeddleError;
  const shown: ShownError = isExpected ? error.toJSON() : internal(error);
  if (output.json) output.error(jsonText({ error: shown }));
  else output.error(...errorLines(shown, output.errorPaint));
  if (!isExpected && !output.json && (env['HEDDLE_DEBUG'] ?? '') !== '') output.error(formatStack(error));
  return errorCodes[shown.code].exit;
}

/** What, where, what to do: a line each, as far as there is something to say. */
export function errorLines(error: ShownError, paint: Paint): string[] {
  const { problems = [] } = error;
  return [
    `${paint('red', 'error:')} ${plainLine(error.message)} ${paint('dim', `(${error.code})`)}`,
    ...whereLine(error, '  '),
    ...problems.flatMap((problem) => [
      `  - ${plainLine(problem.message)} ${paint('dim', `(${problem.code})`)}`,
      ...whereLine(problem, '    '),
      ...hintLine(problem, '    '),
    ]),
    ...hintLine(error, '  '),
  ];
}

const whereLine = ({ where }: Problem, indent: string): string[] =>
  where === undefined || where === '' ? [] : [`${indent}where: ${plainLine(where)}`];

const hintLine = ({ hint }: Problem, indent: string): string[] =>
  hint === undefined || hint === '' ? [] : [`${indent}hint: ${plainLine(hint)}`];

function internal(error: unknown): Problem {
  return {
    code: 'INTERNAL',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in Heddle: please report it with the stack trace that HEDDLE_DEBUG=1 shows.',
  };
}

function formatStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${formatStack(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
