import type { ModelNeed } from '../executors/kind.ts';
import { listNeeds } from '../executors/kinds.ts';
import type { Subtask } from '../types/subtask.ts';

/** Lists the models that a subtask needs for its work and for its judges. */
export function listModelNeeds({ executor, verification }: Pick<Subtask, 'executor' | 'verification'>): ModelNeed[] {
  const { models } = listNeeds(executor);
  return verification === undefined ? models : [...models, { role: 'verifier', key: 'verification' }];
}
