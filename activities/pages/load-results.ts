import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { DependencyResult, InputRef } from '../../domain/types/attempt.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { parseResult } from '../../domain/schema/result-schema.ts';
import type { Store } from '../store/store.ts';

/** The result behind a reference: `STORE_MISSING` or `STORE_DAMAGED` where there is none. */
export async function loadResult(store: Pick<Store, 'get'>, ref: Ref): Promise<DependencyResult> {
  const result = parseResult(await store.get(ref));
  if (result !== undefined) return result;
  throw new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the stored object ${ref.sha256.slice(0, 12)} is not the result of a subtask`,
    hint: 'It was stored by another version of Heddle, or the reference is to something else.',
  });
}

/** The results of dependencies in their order. A skipped one is told as missing, never left out silently. */
export async function loadResults(store: Pick<Store, 'get'>, inputs: readonly InputRef[]): Promise<DependencyResult[]> {
  const results: DependencyResult[] = [];
  // One after the other: thousands of files opened at once would exceed what a process may have open.
  for (const { id, status, notes, result } of inputs) {
    if (result === null) results.push({ id, status, notes, deliverables: [], preview: '' });
    else {
      const loaded = await loadResult(store, result);
      // The task knows best: what was kept although it did not pass is not whole, whatever its program said.
      results.push(status === 'partial' ? { ...loaded, status } : loaded);
    }
  }
  return results;
}
