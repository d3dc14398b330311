import type {
  EvidenceQuality,
  EvidenceRecord,
  EvidenceRules,
  MissingTarget,
  TargetRules,
} from '../types/basic/evidence.ts';
import { foldName, foldText } from './fold-text.ts';
import { formatSource } from './ledger-csv.ts';

/* The rules by which records support a target, for the check, for prompts and for reports. */

const strengths: Readonly<Record<EvidenceQuality, number>> = {
  confirmed: 5,
  sourced: 4,
  'not-found': 3,
  claimed: 2,
  disputed: 1,
  pruned: 0,
};

/** How much a quality is worth: more is better. */
export const strengthOf = (quality: EvidenceQuality): number => strengths[quality];

/** A record counts for a target where its source was read, or holds its quote. */
export const supports = ({ quality }: EvidenceRecord, quotes: EvidenceRules['quotes']): boolean =>
  quality === 'confirmed' || (quality === 'sourced' && quotes === 'optional');

/**
 * Returns the targets with too few records. Two records of one claim and source are one record. `mayBeAbsent`: a target that was looked
 * for in vain counts as met, which only a remediation allows.
 */
export function findMissingTargets(
  records: readonly EvidenceRecord[],
  { targets, each, quotes }: Pick<TargetRules, 'targets' | 'each' | 'quotes'>,
  { mayBeAbsent = false }: { mayBeAbsent?: boolean } = {},
): MissingTarget[] {
  const byTarget = groupByTarget(records);
  return targets.flatMap((target) => {
    const own = byTarget.get(foldName(target)) ?? [];
    if (mayBeAbsent && own.some(({ quality }) => quality === 'not-found')) return [];
    const count = countDistinct(own.filter((record) => supports(record, quotes)));
    return count >= each ? [] : [{ target, lacks: each - count }];
  });
}

function groupByTarget(records: readonly EvidenceRecord[]): Map<string, EvidenceRecord[]> {
  const groups = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    if (record.target === undefined) continue;
    const name = foldName(record.target);
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [record]);
    else own.push(record);
  }
  return groups;
}

const countDistinct = (records: readonly EvidenceRecord[]): number => new Set(records.map(recordKey)).size;

/** The same for two records of one claim from one source about one target. */
export const recordKey = ({
  claim,
  source,
  target = '',
}: Pick<EvidenceRecord, 'claim' | 'source' | 'target'>): string =>
  JSON.stringify([foldName(claim), foldText(formatSource(source)), foldName(target)]);

/** Records with a quote that is not in its source and that nothing replaced. */
export const listUnconfirmed = (records: readonly EvidenceRecord[]): EvidenceRecord[] =>
  records.filter(
    ({ quoteFound, quality, repairedBy }) => quoteFound === false && quality === 'claimed' && repairedBy === undefined,
  );
