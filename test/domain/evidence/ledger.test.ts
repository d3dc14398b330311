import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { formatLedger, mergeLedger, readLedger, type LedgerFacts } from '../../../domain/evidence/ledger.ts';
import { csvColumns, formatCsv } from '../../../domain/evidence/ledger-csv.ts';
import { readLedgerCsv } from '../../../domain/evidence/read-ledger-csv.ts';
import type { EvidenceQuality, EvidenceRecord } from '../../../domain/types/basic/evidence.ts';

const numRuns = Number(process.env.HEDDLE_FUZZ_RUNS ?? 150);

const record = (given: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
  id: 'gather/E1',
  claim: 'It costs 12 euros.',
  source: { kind: 'file', at: 'prices.md' },
  quality: 'sourced',
  by: 'agent',
  subtask: 'gather',
  attempt: 1,
  task: 't1',
  at: '2026-11-19T10:00:00.000Z',
  ...given,
});

const cellsOf = (csv: string): string[][] => parse(csv, { bom: true });

describe('the CSV of a ledger', () => {
  const hostile = [
    '=1+1',
    '\n=1+1',
    ' =HYPERLINK("http://x")',
    '\u200b=1+1',
    '\ufeff@SUM(A1)',
    '\u202e-1',
    '\uff1d1+1',
    '\t+1',
    '\u2066\u00a0=1',
    '\u180e=1',
    '\u3164=1',
    '"=1"',
    'a"b,c\r\nd',
  ];

  test.each(hostile)('has no formula for %j', (text) => {
    const [, ...rows] = cellsOf(formatCsv([record({ claim: text, quote: text, target: text })]));
    expect(rows.length).toBe(1);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u);
  });

  test('holds no formula, no line break and no unseen character, whatever its texts are', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile));
    fc.assert(
      fc.property(text, text, text, (claim, quote, at) => {
        const csv = formatCsv([record({ claim: claim.toWellFormed(), quote, source: { kind: 'other', at } })]);
        const rows = cellsOf(csv);
        expect(rows.length).toBe(2);
        for (const cell of rows.flat()) {
          expect(cell).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20]/u);
          expect(cell).not.toMatch(/[\r\n\p{Cf}]/u);
        }
      }),
      { numRuns },
    );
  });

  test('names its columns and quotes every cell', () => {
    const [head, row] = formatCsv([record({ source: { kind: 'git', at: 'abc123' } })]).split('\r\n');
    expect(head).toBe(csvColumns.map((name) => `"${name}"`).join(','));
    expect(row).toBe(
      '"gather/E1","It costs 12 euros.","git:abc123","","","sourced","gather","t1","2026-11-19T10:00:00.000Z"',
    );
  });

  test('is read again where the JSON is gone', () => {
    const records = [record({ claim: '=1', quote: 'say "yes", or no' }), record({ id: 'gather/E2', claim: 'b' })];
    expect(readLedgerCsv(formatCsv(records))?.map(({ claim, quote }) => [claim, quote])).toEqual([
      ['=1', 'say "yes", or no'],
      ['b', undefined],
    ]);
  });

  test.each(['a,b\n1,2\n', 'notes of mine', '"id","claim"\r\n'])('is not taken from another file: %j', (text) => {
    expect(readLedgerCsv(text)).toBeUndefined();
  });
});

const merged = (...parts: LedgerFacts[]): string => formatLedger(mergeLedger(parts));

/** The ledger as tasks write it one after the other, each reading what those before it left. */
function writtenInTurn(parts: readonly LedgerFacts[]): string {
  let text: string | undefined;
  for (const part of parts) {
    const before = text === undefined ? undefined : readLedger(text);
    text = merged(...(before === undefined ? [] : [before]), part);
  }
  return text ?? '';
}

describe('a ledger', () => {
  const target = { task: 't1', subtask: 'gather', target: 'the price', each: 2, quotes: 'optional' } as const;

  test('is the same bytes after two runs and a retry in any order', () => {
    const runs: LedgerFacts[] = [
      { records: [record({ target: 'the price' })], targets: [target] },
      { records: [record({ task: 't2', quality: 'confirmed', at: '2026-11-19T11:00:00.000Z' })], targets: [] },
      {
        records: [record({ target: 'the price', quality: 'pruned', task: 't1-r2', at: '2026-11-19T12:00:00.000Z' })],
        targets: [{ ...target, task: 't1-r2' }],
      },
    ];
    const [a, b, c] = runs as [LedgerFacts, LedgerFacts, LedgerFacts];
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, a, c],
      [c, a, b],
    ];
    expect(new Set(orders.map(writtenInTurn)).size).toBe(1);
    expect(writtenInTurn([a, b, c, a, c])).toBe(writtenInTurn([a, b, c]));
  });

  test('does not depend on the order of the tasks, whatever they recorded', () => {
    const qualities: EvidenceQuality[] = ['confirmed', 'sourced', 'claimed', 'not-found', 'disputed', 'pruned'];
    const some = fc.record({
      claim: fc.constantFrom('a', 'A', 'b'),
      at: fc.constantFrom('1', '2', '3'),
      task: fc.constantFrom('t1', 't2'),
      id: fc.constantFrom('gather/E1', 'gather/E2'),
      quality: fc.constantFrom(...qualities),
    });
    fc.assert(
      fc.property(fc.array(fc.array(some, { maxLength: 4 }), { maxLength: 4 }), (tasks) => {
        const parts = tasks.map((given) => ({ records: given.map((each) => record(each)), targets: [] }));
        expect(writtenInTurn(parts)).toBe(writtenInTurn([...parts].reverse()));
      }),
      { numRuns },
    );
  });

  test.each<[string, Partial<EvidenceRecord>[], EvidenceQuality]>([
    ['better support wins', [{ quality: 'sourced' }, { quality: 'confirmed', at: '2026' }], 'confirmed'],
    ['a later dispute wins', [{ quality: 'confirmed' }, { quality: 'disputed', at: '2027' }], 'disputed'],
    ['what is found after a dispute wins', [{ quality: 'disputed' }, { quality: 'sourced', at: '2027' }], 'sourced'],
    ['a claim that was taken out stays out', [{ quality: 'claimed' }, { quality: 'pruned' }], 'pruned'],
  ])('has one row for a claim: %s', (_, given, quality) => {
    const { records } = mergeLedger([
      { records: given.map((each, n) => record({ ...each, task: `t${n}` })), targets: [] },
    ]);
    expect(records.map((each) => each.quality)).toEqual([quality]);
  });

  test('tells which targets lack records over all tasks', () => {
    const one = { records: [record({ target: 'The price.' })], targets: [target] };
    const other = { records: [record({ task: 't2', claim: 'another', target: 'the price' })], targets: [] };
    expect(mergeLedger([one]).missing).toMatchObject([{ target: 'the price', lacks: 1, task: 't1' }]);
    expect(mergeLedger([one, other]).missing).toEqual([]);
  });

  test('is not read from a file of somebody else', () => {
    expect(readLedger('{"version":2}')).toBeUndefined();
    expect(readLedger('[]')).toBeUndefined();
  });
});
