import { HeddleError } from '../../domain/heddle-error.ts';
import type { DependencyResult, InputRef } from '../../domain/model/attempt.ts';
import type { Store } from '../store/store.ts';

/** The results of the dependencies, in the order of the plan. One that was left out is told as missing, never left out silently. */
export async function loadInputs(
  store: Pick<Store, 'get' | 'head'>,
  inputs: readonly InputRef[],
): Promise<DependencyResult[]> {
  const results: DependencyResult[] = [];
  for (const { id, status, notes, result } of inputs) {
    if (result === null) {
      results.push({ id, status, notes, deliverables: [], preview: '' });
      continue;
    }
    const stored: unknown = JSON.parse((await store.get(result)).toString());
    if (!isResult(stored)) {
      throw new HeddleError({
        code: 'STORE_DAMAGED',
        message: `the stored object ${result.sha256.slice(0, 12)} is not the result of "${id}"`,
      });
    }
    // Programs read it themselves: better to say now that it is gone.
    if (stored.output !== undefined) await store.head(stored.output, 0);
    results.push(stored);
  }
  return results;
}

/** Its bytes are what was stored; this tells a reference to something else. */
function isResult(value: unknown): value is DependencyResult {
  if (typeof value !== 'object' || value === null) return false;
  const { id, status, notes, deliverables, preview } = value as Partial<Record<keyof DependencyResult, unknown>>;
  return [id, status, notes, preview].every((word) => typeof word === 'string') && Array.isArray(deliverables);
}
