import type { LogEntry } from '../../../domain/conversation/entry.ts';
import { findOriginal } from '../../../domain/compaction/original-text.ts';
import { parseReference } from '../../../domain/compaction/reference.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Store } from '../../store/store.ts';

/** The whole of what a model was shown shortened; undefined where its conversation has no such thing. */
export async function readOriginal(
  path: string,
  { entries, store }: { entries: readonly LogEntry[]; store: Pick<Store, 'get'> },
): Promise<string | undefined> {
  const reference = parseReference(path);
  const original = reference === undefined ? undefined : findOriginal(entries, reference);
  if (original?.whole === undefined) return original?.text;
  try {
    return (await store.get(original.whole)).toString();
  } catch (error) {
    // The text that the model was shown at first is still there.
    if (error instanceof HeddleError) return original.text;
    throw error;
  }
}
