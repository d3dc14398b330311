import type { Subtask } from '../../domain/model/subtask.ts';
import { Redactor } from '../redact/redactor.ts';
import { namedVariables } from './base-environment.ts';
import type { Variables } from './base-environment.ts';

/**
 * Keeps the values of all variables that these subtasks name out of what is shown and stored. One subtask may print what another
 * has written into a file: give all that are known of a task.
 */
export function redactorFor(
  worker: Variables,
  subtasks: readonly Pick<Subtask, 'executor'>[],
  harmless?: readonly string[],
): Redactor {
  const names = subtasks.flatMap(({ executor }) => (executor.kind === 'command' ? executor.env : []));
  return new Redactor(namedVariables(worker, names).found, harmless);
}
