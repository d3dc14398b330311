import type { ModelNeed } from '../executors/kind.ts';
import { needsOf } from '../executors/kinds.ts';
import type { Subtask } from '../types/subtask.ts';

/** Every model that a subtask needs: to do its work, and to judge it. */
export function listModelNeeds({ executor, verification }: Pick<Subtask, 'executor' | 'verification'>): ModelNeed[] {
  const { models } = needsOf(executor);
  return verification === undefined ? models : [...models, { role: 'verifier', key: 'verification' }];
}
