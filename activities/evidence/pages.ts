import { emptyPage, readEvidencePage } from '../../domain/evidence/page.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { EvidencePage } from '../../domain/types/basic/evidence.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import type { Store } from '../store/store.ts';

/** The evidence behind a reference; an empty page where there is none. */
export async function loadEvidence(
  store: Pick<Store, 'get'>,
  ref: Ref | undefined,
  subtask: string,
): Promise<EvidencePage> {
  if (ref === undefined) return emptyPage(subtask);
  const page = readEvidencePage(tryParseJson((await store.get(ref)).toString('utf8')));
  if (page !== undefined) return page;
  throw new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the stored object ${ref.sha256.slice(0, 12)} is not the evidence of a subtask`,
    hint: 'It was stored by another version of Heddle, or the reference is to something else.',
  });
}

/** Keeps a page; undefined where it says nothing. */
export async function storeEvidence(store: Pick<Store, 'put'>, page: EvidencePage): Promise<Ref | undefined> {
  const { records, missing, targets, inherited } = page;
  if (records.length + missing.length + targets.length + inherited.length === 0) return undefined;
  return store.put(JSON.stringify(page));
}
