import { describe, expect, test } from 'vitest';
import { completeEvidence, completeLedger } from '../../../domain/evidence/complete-evidence.ts';
import { countEvidence } from '../../../domain/evidence/count-evidence.ts';
import { findMarks } from '../../../domain/evidence/find-marks.ts';
import { listLineage } from '../../../domain/evidence/list-lineage.ts';
import { mergeAttempt, settleUnconfirmed } from '../../../domain/evidence/merge-attempt.ts';
import { emptyPage } from '../../../domain/evidence/page.ts';
import { parseSource, withoutLines } from '../../../domain/evidence/parse-source.ts';
import { readDraft, readDraftLines, readDrafts } from '../../../domain/evidence/read-draft.ts';
import { readTargets } from '../../../domain/evidence/read-targets.ts';
import { findMissingTargets } from '../../../domain/evidence/support.ts';
import type { EvidenceRecord } from '../../../domain/types/basic/evidence.ts';

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

describe('a source', () => {
  test.each<[string | undefined, object]>([
    [undefined, { kind: 'unnamed' }],
    ['  ', { kind: 'unnamed' }],
    ['None', { kind: 'none' }],
    ['docs/a.md', { kind: 'file', at: 'docs/a.md' }],
    ['my notes.md', { kind: 'file', at: 'my notes.md' }],
    ['git:abc1234', { kind: 'git', at: 'abc1234' }],
    ['git:v1.2:docs/a.md', { kind: 'git', at: 'v1.2:docs/a.md' }],
    ['HTTPS://Example.org#part', { kind: 'web', at: 'https://example.org/' }],
    ['https://example.org/A?b=1#c', { kind: 'web', at: 'https://example.org/A?b=1' }],
    ['af_01H', { kind: 'artifact', at: 'af_01H' }],
    ['a talk with the author', { kind: 'other', at: 'a talk with the author' }],
  ])('%j is sorted', (text, named) => {
    expect(parseSource(text)).toEqual(named);
  });

  test.each([
    ['src/a.ts:12', 'src/a.ts'],
    ['src/a.ts:12-20', 'src/a.ts'],
    ['src/a.ts#L3-L9', 'src/a.ts'],
    ['src/a.ts', 'src/a.ts'],
  ])('%s is the file %s', (at, path) => {
    expect(withoutLines(at)).toBe(path);
  });
});

describe('a record of a program', () => {
  test('has a claim, and each other field only where it is a text', () => {
    expect(readDraft({ text: 'a', source: 3, quote: '', target: 't', more: 1 })).toEqual({ text: 'a', target: 't' });
    for (const other of [{ text: ' ' }, 'a', null, []]) expect(readDraft(other)).toBeUndefined();
  });

  test('is a line of JSON, and lines that are none are counted', () => {
    const { drafts, unreadable } = readDraftLines('{"text":"a"}\r\n\nno\n{"text":1}\n{"text":"b"');
    expect([drafts, unreadable]).toEqual([[{ text: 'a' }], 3]);
  });

  test('is one of at most 200', () => {
    expect(readDrafts({ evidence: Array.from({ length: 300 }, () => ({ text: 'a' })) }).length).toBe(200);
    for (const other of ['no list', null, {}, { evidence: 'no list' }]) expect(readDrafts(other)).toEqual([]);
  });
});

describe('a target', () => {
  const rules = { targets: ['The price?', 'the date'], each: 1, quotes: 'optional' as const };

  test.each<[string, Partial<EvidenceRecord>[], string[]]>([
    ['by its text, whatever its case, spaces and last mark', [{ target: ' the  PRICE' }], ['the date']],
    ['not by a claim alone', [{ claim: 'the price' }], ['The price?', 'the date']],
    ['not by what nobody looked up', [{ target: 'the price', quality: 'claimed' }], ['The price?', 'the date']],
    ['not by what was looked for in vain', [{ target: 'the price', quality: 'not-found' }], ['The price?', 'the date']],
    ['not by a disputed claim', [{ target: 'the date', quality: 'disputed' }], ['The price?', 'the date']],
  ])('is met %s', (_, given, missing) => {
    const records = given.map((each) => record(each));
    expect(findMissingTargets(records, rules).map(({ target }) => target)).toEqual(missing);
  });

  test('needs different records where it needs several', () => {
    const same = [record({ target: 'the date' }), record({ id: 'gather/E2', target: 'the date' })];
    expect(findMissingTargets(same, { ...rules, targets: ['the date'], each: 2 })).toEqual([
      { target: 'the date', lacks: 1 },
    ]);
    const two = [...same, record({ id: 'gather/E3', target: 'the date', claim: 'another' })];
    expect(findMissingTargets(two, { ...rules, targets: ['the date'], each: 2 })).toEqual([]);
  });

  test('needs a quote that was found where quotes are required', () => {
    const required = { ...rules, targets: ['the date'], quotes: 'required' as const };
    expect(findMissingTargets([record({ target: 'the date' })], required).length).toBe(1);
    expect(findMissingTargets([record({ target: 'the date', quality: 'confirmed' })], required)).toEqual([]);
  });

  test.each(['{"a":1}', '[]', '["a", 3]', '["a", " "]', 'no'])('is in no list that is %s', (text) => {
    expect(readTargets(text)).toBeUndefined();
  });
});

test('a mark is a number in brackets, with its subtask or without', () => {
  const text = 'a [gather/E3], b [E4] [E4], [x-ö.1/E10], not [E], [e5], [gather/E3x], [a/b/E1]';
  expect(findMarks(text, 'draft')).toEqual(['gather/E3', 'draft/E4', 'x-ö.1/E10']);
});

test('records of an attempt join those before it, each once', () => {
  const before = [record()];
  const own = [record({ id: 'gather/E2', attempt: 2 }), record({ id: 'gather/E3', attempt: 2, claim: 'new' })];
  expect(mergeAttempt(before, own).map(({ id }) => id)).toEqual(['gather/E1', 'gather/E3']);
});

describe('a made-up quote', () => {
  const madeUp = record({ quality: 'claimed', quoteFound: false, target: 'the price' });
  const now = { task: 't1', attempt: 2 };

  test.each<[string, Partial<EvidenceRecord>[], string | undefined]>([
    ['is repaired by a later record of the claim', [{ id: 'gather/E2', quality: 'confirmed' }], 'gather/E2'],
    [
      'is repaired by a later record of its target',
      [{ id: 'gather/E2', claim: 'b', target: 'The price' }],
      'gather/E2',
    ],
    ['is pruned where nothing supports it', [{ id: 'gather/E2', claim: 'b' }], undefined],
    ['is pruned where its repair is only claimed', [{ id: 'gather/E2', quality: 'claimed' }], undefined],
  ])('%s', (_, later, by) => {
    const [settled] = settleUnconfirmed([madeUp, ...later.map((each) => record({ attempt: 2, ...each }))], now);
    expect([settled?.quality, settled?.repairedBy]).toEqual(['pruned', by]);
  });

  test('of the newest attempt stays as it is', () => {
    expect(settleUnconfirmed([madeUp], { task: 't1', attempt: 1 })).toEqual([madeUp]);
  });

  test('is told by the figures as repaired or pruned', () => {
    const records = [
      record({ quality: 'pruned', repairedBy: 'gather/E3' }),
      record({ id: 'gather/E2', quality: 'pruned', claim: 'b' }),
      record({ id: 'gather/E3', quality: 'confirmed' }),
    ];
    const missing = [{ target: 'the date', lacks: 1 }];
    expect(countEvidence([{ ...emptyPage('gather'), records, missing }])).toMatchObject({
      records: 3,
      byQuality: { pruned: 2, confirmed: 1, sourced: 0 },
      missing: [{ subtask: 'gather', target: 'the date' }],
      repaired: [{ claim: 'It costs 12 euros.', by: 'gather/E3' }],
      pruned: [{ claim: 'b' }],
    });
  });

  test('of nobody has no figures', () => {
    expect(countEvidence([emptyPage('a')])).toBeUndefined();
  });
});

describe('the evidence that a plan asks for', () => {
  const gather = { id: 'gather' };

  test('is nothing where nothing is said', () => {
    expect(completeEvidence(gather, { evidence: undefined })).toBeUndefined();
    expect(completeLedger({ subtasks: [gather] })).toBeUndefined();
  });

  test('of a task is met together, by the subtasks of its phases', () => {
    const evidence = { each: 2, quotes: 'required' as const, targets: ['a'], phases: ['gather'] };
    expect(completeEvidence(gather, { evidence })).toEqual({
      ...{ each: 2, quotes: 'required', targets: [], citations: false, ledger: 'evidence-ledger.csv' },
      shared: { each: 2, quotes: 'required', targets: ['a'] },
    });
    expect(completeEvidence({ id: 'draft' }, { evidence })).toBeUndefined();
  });

  test('of a subtask keeps what the task says about the rest', () => {
    const evidence = { quotes: 'required' as const, ledger: 'out/facts.csv' };
    expect(completeEvidence({ ...gather, evidence: { targets: ['b', 'b'], each: 3 } }, { evidence })).toEqual({
      ...{ each: 3, quotes: 'required', targets: ['b'], citations: false, ledger: 'out/facts.csv' },
    });
  });

  test('goes to the ledger of the task, of the first subtask that owes any, or to none', () => {
    const subtasks = [gather, { id: 'a', evidence: { ledger: 'a.csv' } }, { id: 'b', evidence: { ledger: 'b.csv' } }];
    expect(completeLedger({ subtasks })).toBe('a.csv');
    expect(completeLedger({ evidence: { ledger: false }, subtasks })).toBeUndefined();
    expect(completeLedger({ evidence: {}, subtasks: [] })).toBe('evidence-ledger.csv');
  });
});

test('a task continues those of its name', () => {
  expect([listLineage('site'), listLineage('site-r3')]).toEqual([['site'], ['site', 'site-r2', 'site-r3']]);
});
