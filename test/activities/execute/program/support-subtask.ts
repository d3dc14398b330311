import type { Subtask } from '../../../../domain/types/subtask.ts';
import { subtask as usual } from '../../../domain/support-task.ts';

/** A subtask that asks for nothing but its program. */
export const subtask = (id: string, given: Partial<Subtask> = {}): Subtask =>
  usual(id, {
    description: 'Do it.',
    executor: { kind: 'command', run: ['true'], prompt: 'stdin', timeout: 30_000, env: [], onCrash: 'rerun' },
    contractCheck: 'off',
    ...given,
  });
