import type { EvidenceRecord } from '../types/basic/evidence.ts';
import { foldName, foldText } from './fold-text.ts';
import { evidenceLimits } from './limits.ts';
import { supports } from './support.ts';

/** The number of a record in its subtask: 3 of `gather/E3`. */
export const numberOf = ({ id }: Pick<EvidenceRecord, 'id'>): number => Number(/\/E(\d+)$/u.exec(id)?.[1] ?? 0);

/** The number before the first record of an attempt: records of other attempts and of earlier tasks keep theirs. */
export const lastNumber = (records: readonly EvidenceRecord[]): number => Math.max(0, ...records.map(numberOf));

/** The records of this subtask that other attempts made. */
export const ofOtherAttempts = (
  records: readonly EvidenceRecord[],
  { task, attempt }: Pick<EvidenceRecord, 'task' | 'attempt'>,
): EvidenceRecord[] => records.filter((record) => record.task !== task || record.attempt !== attempt);

/** Adds the records of an attempt to those before it. What was recorded twice counts once, and keeps its first id. */
export function mergeAttempt(before: readonly EvidenceRecord[], own: readonly EvidenceRecord[]): EvidenceRecord[] {
  const seen = new Map<string, EvidenceRecord>();
  for (const record of [...before, ...own]) {
    const key = JSON.stringify([foldName(record.claim), record.source.at, foldText(record.quote ?? ''), record.target]);
    if (!seen.has(key)) seen.set(key, record);
  }
  return [...seen.values()].slice(0, evidenceLimits.records);
}

/**
 * Settles records whose quote was not found, once a later attempt has passed its checks: one with support for the same claim or target
 * took its place, or the claim is pruned.
 */
export function settleUnconfirmed(
  records: readonly EvidenceRecord[],
  { task, attempt }: Pick<EvidenceRecord, 'task' | 'attempt'>,
): EvidenceRecord[] {
  return records.map((record) => {
    const isOld = record.task !== task || record.attempt !== attempt;
    if (record.quoteFound !== false || record.quality !== 'claimed' || !isOld) return record;
    const repair = records.find((other) => isRepair(record, other));
    return { ...record, quality: 'pruned' as const, ...(repair === undefined ? {} : { repairedBy: repair.id }) };
  });
}

const isRepair = (record: EvidenceRecord, other: EvidenceRecord): boolean =>
  numberOf(other) > numberOf(record) &&
  supports(other, 'optional') &&
  (foldName(other.claim) === foldName(record.claim) ||
    (record.target !== undefined && other.target !== undefined && foldName(other.target) === foldName(record.target)));
