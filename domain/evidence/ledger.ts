import * as z from 'zod';
import type { OwedTarget, EvidenceRecord, MissingTarget } from '../types/basic/evidence.ts';
import { tryParseJson } from '../util/try-parse-json.ts';
import { formatSource } from './ledger-csv.ts';
import { numberOf } from './merge-attempt.ts';
import { owedTargetSchema, evidenceRecordSchema } from './page.ts';
import { findMissingTargets, recordKey, strengthOf } from './support.ts';

/** A target with the subtask that owes its evidence. */
export interface LedgerTarget extends OwedTarget {
  task: string;
  subtask: string;
}

/** The records of all tasks that wrote to one ledger. The same tasks in any order give the same ledger. */
export interface Ledger {
  version: 1;
  /** One record for each claim, source and target: the rows of the CSV. */
  records: EvidenceRecord[];
  missing: (MissingTarget & Pick<LedgerTarget, 'task' | 'subtask'>)[];
  sources: { kind: string; at: string; records: number }[];
  targets: LedgerTarget[];
  /** Records that another one stands for; without them the order of merges would count. */
  earlier: EvidenceRecord[];
}

/** The part of a ledger that is merged: all the rest follows from it. */
export type LedgerFacts = Pick<Ledger, 'records' | 'targets'>;

const ledgerSchema = z.object({
  version: z.literal(1),
  records: z.array(evidenceRecordSchema),
  earlier: z.array(evidenceRecordSchema),
  targets: z.array(owedTargetSchema.extend({ task: z.string(), subtask: z.string() })),
});

/** Reads a ledger that an earlier task wrote; undefined for anything else. */
export function readLedger(text: string): LedgerFacts | undefined {
  const read = ledgerSchema.safeParse(tryParseJson(text)).data;
  return read === undefined ? undefined : { records: [...read.records, ...read.earlier], targets: read.targets };
}

/** Merges the records of tasks into one ledger. */
export function mergeLedger(parts: readonly LedgerFacts[]): Ledger {
  const groups = groupByClaim(parts.flatMap(({ records }) => records));
  const winners = new Map([...groups].map(([key, own]) => [key, chooseRecord(own)]));
  const records = [...winners.values()].sort(compareRecords);
  const earlier = [...groups].flatMap(([key, own]) => own.filter((record) => record !== winners.get(key)));
  const targets = mergeTargets(parts.flatMap((part) => part.targets));
  return {
    version: 1,
    records,
    missing: targets.flatMap(({ task, subtask, ...target }) =>
      findMissingTargets(records, { ...target, targets: [target.target] }).map((missing) => ({
        ...missing,
        ...{ task, subtask },
      })),
    ),
    sources: listSources(records),
    targets,
    earlier: earlier.sort(compareRecords),
  };
}

export const formatLedger = (ledger: Ledger): string => `${JSON.stringify(ledger, null, 2)}\n`;

/** Keeps the newest record of each quality for each claim with its source and target. */
function groupByClaim(records: readonly EvidenceRecord[]): Map<string, EvidenceRecord[]> {
  const groups = new Map<string, Map<string, EvidenceRecord>>();
  for (const given of records) {
    // Its keys have one order, whether it was read from a ledger or not.
    const record = evidenceRecordSchema.parse(given);
    // A record that another one of its subtask replaced stands nowhere else.
    if (record.repairedBy !== undefined) continue;
    const key = recordKey(record);
    const own = groups.get(key) ?? new Map<string, EvidenceRecord>();
    groups.set(key, own);
    const other = own.get(record.quality);
    if (other === undefined || compareAge(record, other) > 0) own.set(record.quality, record);
  }
  return new Map([...groups].map(([key, own]) => [key, [...own.values()]]));
}

/** The last dispute holds, unless something was recorded after it; else the best support does. */
function chooseRecord(records: readonly EvidenceRecord[]): EvidenceRecord {
  const byAge = [...records].sort(compareAge);
  const last = byAge.findLast(isWithdrawn);
  const open = byAge.filter((record) => !isWithdrawn(record) && (last === undefined || record.at > last.at));
  const best = open.sort((a, b) => strengthOf(b.quality) - strengthOf(a.quality))[0] ?? last;
  if (best === undefined) throw new Error('a claim has a record');
  return best;
}

const isWithdrawn = ({ quality }: EvidenceRecord): boolean => quality === 'disputed' || quality === 'pruned';

/** The later is the larger. Two of one moment differ by their ids, and two of one id by what they hold. */
const compareAge = (a: EvidenceRecord, b: EvidenceRecord): number =>
  compareTexts(a.at, b.at) ||
  compareTexts(a.task, b.task) ||
  compareTexts(a.id, b.id) ||
  compareTexts(JSON.stringify(a), JSON.stringify(b));

const compareRecords = (a: EvidenceRecord, b: EvidenceRecord): number =>
  compareTexts(a.task, b.task) ||
  compareTexts(a.subtask, b.subtask) ||
  numberOf(a) - numberOf(b) ||
  compareTexts(JSON.stringify(a), JSON.stringify(b));

/** By code units: the same on every machine. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function mergeTargets(targets: readonly LedgerTarget[]): LedgerTarget[] {
  const distinct = new Map(
    targets.map(({ task, subtask, target, each, quotes }) => {
      const plain: LedgerTarget = { task, subtask, target, each, quotes };
      return [JSON.stringify(plain), plain];
    }),
  );
  return [...distinct].sort(([a], [b]) => compareTexts(a, b)).map(([, target]) => target);
}

function listSources(records: readonly EvidenceRecord[]): Ledger['sources'] {
  const counts = new Map<string, { kind: string; at: string; records: number }>();
  for (const { source } of records) {
    const at = formatSource(source);
    if (at === '') continue;
    const entry = counts.get(at) ?? { kind: source.kind, at, records: 0 };
    counts.set(at, { ...entry, records: entry.records + 1 });
  }
  return [...counts.values()].sort((a, b) => compareTexts(a.at, b.at));
}
