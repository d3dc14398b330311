import { setImmediate } from 'node:timers/promises';

import { foldText } from '../../domain/evidence/fold-text.ts';
import { evidenceLimits } from '../../domain/evidence/limits.ts';
import type { EvidenceDraft, EvidenceRecord } from '../../domain/types/basic/evidence.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findSource, type FoundSource, type SourceParts } from './find-source.ts';
import type { SourceRead } from './list-reads.ts';

/** A draft with its number in the subtask. */
export interface NumberedDraft extends EvidenceDraft {
  number: number;
}

export interface ConfirmParts extends SourceParts {
  /** Facts that every record of the attempt has. */
  about: Pick<EvidenceRecord, 'task' | 'subtask' | 'attempt' | 'by' | 'at'>;
  /** Sources that the attempt read. */
  reads: readonly SourceRead[];
  /** Sources that all agents of the task have read: asked for only where the attempt's own are not enough. */
  otherReads: () => Promise<readonly SourceRead[]>;
  /** The task wrote this file itself. */
  isOwnWork: (real: string) => Promise<boolean>;
  redact: (text: string) => string;
}

/**
 * Turns drafts into records. A program decides how well each is supported: is its quote in its source, was the source read in this task,
 * did the task write it itself? No model is asked.
 */
export async function confirmRecords(drafts: readonly NumberedDraft[], parts: ConfirmParts): Promise<EvidenceRecord[]> {
  const records = new Map<number, EvidenceRecord>();
  // One source at a time: each is read once, and the texts of many would not fit into memory.
  for (const [source, own] of Map.groupBy(drafts, (draft) => draft.source?.trim())) {
    const located = await findSource(source, parts);
    for (const draft of own) {
      records.set(draft.number, await confirm(draft, located, parts));
      // A search in a large source takes milliseconds, and heartbeats must go out between two of them.
      await setImmediate();
    }
  }
  return drafts.flatMap(({ number }) => records.get(number) ?? []);
}

async function confirm(
  draft: NumberedDraft,
  located: FoundSource | 'none',
  parts: ConfirmParts,
): Promise<EvidenceRecord> {
  const { about } = parts;
  const base = { id: `${about.subtask}/E${draft.number}`, ...describe(draft, parts) };
  if (located === 'none') return { ...base, source: { kind: 'other', at: 'none' }, quality: 'not-found', ...about };
  const judged = await judgeSupport(draft, located, parts);
  const at = clip(parts.redact(located.source.at), evidenceLimits.source);
  return { ...base, source: { ...located.source, at }, ...judged, ...about };
}

/** Secrets go before the cut: half a secret would not be recognised. */
function describe(
  { text, quote, target }: EvidenceDraft,
  { redact }: ConfirmParts,
): Pick<EvidenceRecord, 'claim' | 'quote' | 'target'> {
  return {
    claim: clip(oneLine(redact(text)), evidenceLimits.claim),
    ...(target === undefined ? {} : { target: clip(oneLine(redact(target)), evidenceLimits.target) }),
    ...(quote === undefined ? {} : { quote: clip(redact(quote.trim()), evidenceLimits.quote) }),
  };
}

type Support = Pick<EvidenceRecord, 'quality' | 'quoteFound'>;

async function judgeSupport(draft: EvidenceDraft, located: FoundSource, parts: ConfirmParts): Promise<Support> {
  const quote = foldText(draft.quote ?? '');
  const reads = parts.reads.filter((read) => isOf(read, located));
  const others = async (): Promise<SourceRead[]> => (await parts.otherReads()).filter((read) => isOf(read, located));
  if (quote === '') {
    const wasRead = reads.length > 0 || (await others()).length > 0;
    return { quality: wasRead && !(await isOwnWork(located, parts)) ? 'sourced' : 'claimed' };
  }
  const isIn = async (list: readonly SourceRead[]): Promise<boolean> =>
    holds(list, [quote, foldText(parts.redact(quote))]);
  const isThere = located.text?.includes(quote) === true || (await isIn(reads)) || (await isIn(await others()));
  if (isThere) return { quality: (await isOwnWork(located, parts)) ? 'claimed' : 'confirmed' };
  // Nobody could look at it: the quote is neither found nor made up.
  if (!located.isKnown && reads.length === 0 && (await others()).length === 0) return { quality: 'claimed' };
  return { quality: 'claimed', quoteFound: false };
}

const isOwnWork = async ({ isNew, real }: FoundSource, parts: ConfirmParts): Promise<boolean> =>
  isNew === true || (real !== undefined && (await parts.isOwnWork(real)));

/** A call read this source. Git calls name a revision among their arguments; what they printed may name its id. */
function isOf({ kind, at }: SourceRead, { source, object, real }: FoundSource): boolean {
  if (kind !== source.kind) return false;
  if (kind === 'git') {
    const words = at.split(/\s+/u);
    return words.some((word) => word === source.at || (word.length >= 7 && object?.startsWith(word) === true));
  }
  return at === source.at || at === real;
}

/** The newest results first: a page that is fetched again may have changed. */
async function holds(reads: readonly SourceRead[], quotes: readonly string[]): Promise<boolean> {
  for (const read of reads.slice(-activityLimits.evidence.readsPerQuote).reverse()) {
    const text = foldText(await read.text());
    if (quotes.some((quote) => quote !== '' && text.includes(quote))) return true;
  }
  return false;
}
