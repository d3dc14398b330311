import { Redactor } from '../redact/redactor.ts';
import { namedVariables } from './base-environment.ts';
import type { Variables } from './base-environment.ts';

/**
 * Keeps the values of variables out of what is shown and stored. One subtask may print what another has written into a file: give the
 * names of the whole task.
 */
export function redactorFor(worker: Variables, names: readonly string[], harmless?: readonly string[]): Redactor {
  return new Redactor(namedVariables(worker, names).values, harmless);
}
