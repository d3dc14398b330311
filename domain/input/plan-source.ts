import type { Position } from './file-text.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { HeddleError } from '../errors/heddle-error.ts';

/** A plan as text, and its name in errors. */
export interface PlanText {
  name: string;
  text: string;
}

export const formatPosition = (name: string, { line, column }: Position): string => `${name}:${line}:${column}`;

export function syntaxProblem(source: PlanText, position: Position, message: string, hint: string): Problem {
  return { code: 'PLAN_SYNTAX', message, where: formatPosition(source.name, position), hint };
}

export function syntaxError(source: PlanText, position: Position, message: string, hint: string): HeddleError {
  return new HeddleError(syntaxProblem(source, position, message, hint));
}
