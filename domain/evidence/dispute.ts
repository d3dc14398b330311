import type { EvidencePage, EvidenceRecord, MissingTarget } from '../types/basic/evidence.ts';
import { clip, oneLine } from '../text/text.ts';
import { findMarks } from './find-marks.ts';
import { foldName } from './fold-text.ts';
import { evidenceLimits } from './limits.ts';

/** A shorter claim may stand in any sentence by chance. */
const shortestClaim = 12;

/**
 * Takes what judges call missing evidence: a record that they name, by its mark or its claim, is disputed; anything else is a target that
 * needs a record.
 */
export function disputeEvidence(page: EvidencePage, texts: readonly string[]): EvidencePage {
  const disputed = new Set<string>();
  const missing: MissingTarget[] = [];
  for (const text of new Set(texts.map(oneLine))) {
    const named = page.records.filter((record) => isNamed(record, text, page.subtask));
    for (const { id } of named) disputed.add(id);
    if (named.length === 0) missing.push({ target: clip(text, evidenceLimits.target), lacks: 1, by: 'judge' });
  }
  return {
    ...page,
    records: page.records.map((record) => (disputed.has(record.id) ? { ...record, quality: 'disputed' } : record)),
    missing: [...page.missing, ...missing].slice(0, evidenceLimits.targets),
  };
}

function isNamed({ id, claim, quality }: EvidenceRecord, text: string, subtask: string): boolean {
  if (quality === 'pruned') return false;
  if (findMarks(`[${text.replaceAll(/[[\](),;]/gu, '] [')}]`.replaceAll(/\s+/gu, '] ['), subtask).includes(id))
    return true;
  const [folded, name] = [foldName(text), foldName(claim)];
  return folded === name || (name.length >= shortestClaim && folded.includes(name));
}
