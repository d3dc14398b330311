// A program decides how well a claim is supported: real files, a real repository, results of calls as a conversation has them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmRecords } from '../../../activities/evidence/confirm-records.ts';
import type { SourceRead } from '../../../activities/evidence/list-reads.ts';
import type { EvidenceDraft, EvidenceRecord } from '../../../domain/types/basic/evidence.ts';

let folder = '';
let commit = '';
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    ...{ cwd: folder, encoding: 'utf8' },
    // Anybody may state any date.
    env: { ...process.env, GIT_COMMITTER_DATE: '2001-01-01T00:00:00Z' },
  }).trim();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-evidence-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), 'The plan\n\tcosts  12\r\neuros. Caf\u00e9.\n');
  writeFileSync(join(folder, 'binary.bin'), Buffer.from([0, 1, 2, 3]));
  symlinkSync('/etc/hostname', join(folder, 'outside.txt'));
  git('init', '-q');
  git('add', 'docs');
  git('commit', '-q', '-m', 'Raise the price to 12', '--date=2020-01-01T00:00:00Z');
  commit = git('rev-parse', 'HEAD');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Facts {
  reads?: SourceRead[];
  others?: SourceRead[];
  own?: string[];
  began?: number;
}

async function confirm(
  draft: EvidenceDraft,
  { reads = [], others = [], own = [], began }: Facts = {},
): Promise<EvidenceRecord> {
  const [record] = await confirmRecords([{ ...draft, number: 1 }], {
    folder,
    readRoots: [],
    environment: { PATH: process.env['PATH'] ?? '' },
    began: () => Promise.resolve(began ?? Date.now() + 60_000),
    about: { task: 't', subtask: 's', attempt: 1, by: 'agent', at: '2026-01-01T00:00:00.000Z' },
    reads,
    otherReads: () => Promise.resolve(others),
    isOwnWork: (real) => Promise.resolve(own.some((path) => real.endsWith(path))),
    redact: (text) => text.replaceAll('s3cret', '[redacted]'),
  });
  if (record === undefined) throw new Error('no record');
  return record;
}

const readOf = (kind: SourceRead['kind'], at: string, text: string): SourceRead => ({
  kind,
  at,
  text: () => Promise.resolve(text),
});
const file = readOf('file', 'docs/a.md', 'lines 1-3 of 3\nThe plan');

describe('the quality of a claim', () => {
  test.each<[string, EvidenceDraft, Facts, EvidenceRecord['quality'], false | undefined]>([
    [
      'a quote over lines',
      { text: 'a', source: 'docs/a.md', quote: 'plan costs 12 euros.' },
      {},
      'confirmed',
      undefined,
    ],
    [
      'a quote in other code points',
      { text: 'a', source: 'docs/a.md:2', quote: 'Cafe\u0301.' },
      {},
      'confirmed',
      undefined,
    ],
    ['a made-up quote', { text: 'a', source: 'docs/a.md', quote: 'costs 13 euros' }, {}, 'claimed', false],
    [
      'a made-up quote of what was read',
      { text: 'a', source: 'docs/a.md', quote: 'nothing' },
      { reads: [file] },
      'claimed',
      false,
    ],
    ['a source that is not there', { text: 'a', source: 'docs/b.md', quote: 'x' }, {}, 'claimed', false],
    ['no quote, and the source was read', { text: 'a', source: 'docs/a.md' }, { reads: [file] }, 'sourced', undefined],
    [
      'no quote, and another subtask read it',
      { text: 'a', source: 'docs/a.md' },
      { others: [file] },
      'sourced',
      undefined,
    ],
    ['no quote, and nobody read it', { text: 'a', source: 'docs/a.md' }, {}, 'claimed', undefined],
    [
      'a quote of its own work',
      { text: 'a', source: 'docs/a.md', quote: 'The plan' },
      { own: ['docs/a.md'] },
      'claimed',
      undefined,
    ],
    [
      'its own work, read again',
      { text: 'a', source: 'docs/a.md' },
      { own: ['docs/a.md'], reads: [file] },
      'claimed',
      undefined,
    ],
    [
      'a page that was fetched',
      { text: 'a', source: 'https://x.org', quote: 'Hi there' },
      { reads: [readOf('web', 'https://x.org/', 'Hi\nthere')] },
      'confirmed',
      undefined,
    ],
    [
      'a made-up quote of a page',
      { text: 'a', source: 'https://x.org/', quote: 'Bye' },
      { reads: [readOf('web', 'https://x.org/', 'Hi')] },
      'claimed',
      false,
    ],
    ['a page that nobody fetched', { text: 'a', source: 'https://x.org/', quote: 'Hi' }, {}, 'claimed', undefined],
    [
      'an artifact',
      { text: 'a', source: 'af_1', quote: 'Hi' },
      { reads: [readOf('artifact', 'af_1', 'Hi')] },
      'confirmed',
      undefined,
    ],
    ['looked for in vain', { text: 'a', source: 'none' }, {}, 'not-found', undefined],
    ['a person', { text: 'a', source: 'a talk with her', quote: 'x' }, {}, 'claimed', undefined],
    ['no source', { text: 'a', quote: 'x' }, {}, 'claimed', undefined],
    ['a file outside', { text: 'a', source: '/etc/hostname', quote: 'x' }, {}, 'claimed', undefined],
    ['a link that leads outside', { text: 'a', source: 'outside.txt', quote: 'x' }, {}, 'claimed', false],
    ['a file that is no text', { text: 'a', source: 'binary.bin', quote: 'x' }, {}, 'claimed', undefined],
    [
      'a file that is no text, as it was read',
      { text: 'a', source: 'binary.bin', quote: 'page one' },
      { reads: [readOf('file', 'binary.bin', 'page one')] },
      'confirmed',
      undefined,
    ],
  ])('of %s', async (_, draft, facts, quality, quoteFound) => {
    const record = await confirm(draft, facts);
    expect([record.quality, record.quoteFound]).toEqual([quality, quoteFound]);
  });

  test('of a commit, its changes and its files', async () => {
    const old = { began: Date.now() + 60_000 };
    const [message, change, part] = [
      await confirm({ text: 'a', source: `git:${commit.slice(0, 10)}`, quote: 'Raise the price' }, old),
      await confirm({ text: 'a', source: 'git:HEAD', quote: '+The plan' }, old),
      await confirm({ text: 'a', source: 'git:HEAD:docs/a.md', quote: 'costs 12 euros.' }, old),
    ];
    expect([message.quality, change.quality, part.quality]).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect((await confirm({ text: 'a', source: 'git:nothing', quote: 'x' }, old)).quoteFound).toBe(false);
    expect((await confirm({ text: 'a', source: 'git:--output=/tmp/x', quote: 'x' }, old)).quality).toBe('claimed');
  });

  test('of a commit that the task made is a claim, whatever date it states', async () => {
    const record = await confirm(
      { text: 'a', source: 'git:HEAD', quote: 'Raise the price' },
      { began: Date.now() - 60_000 },
    );
    expect(record.quality).toBe('claimed');
    const read = readOf('git', `show ${commit.slice(0, 12)}`, 'Raise the price');
    const sourced = await confirm({ text: 'a', source: 'git:HEAD' }, { reads: [read] });
    expect(sourced.quality).toBe('sourced');
  });

  test('of a quote at the end of 10 MB is found in seconds, for many records', async () => {
    const path = join(folder, 'large.txt');
    writeFileSync(path, `${'line of a long log file\n'.repeat(450_000)}the\nneedle`);
    utimesSync(path, 0, 0);
    const drafts = Array.from({ length: 100 }, (_, n) => ({
      text: `c${n}`,
      source: 'large.txt',
      quote: 'the needle',
      number: n + 1,
    }));
    const began = performance.now();
    const records = await confirmRecords(drafts, {
      ...{ folder, readRoots: [], environment: { PATH: '' }, began: () => Promise.resolve(0), reads: [] },
      about: { task: 't', subtask: 's', attempt: 1, by: 'program', at: '' },
      otherReads: () => Promise.resolve([]),
      isOwnWork: () => Promise.resolve(false),
      redact: (text) => text,
    });
    expect(new Set(records.map(({ quality }) => quality))).toEqual(new Set(['confirmed']));
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('is stored without secrets, on one line, bounded', async () => {
    const record = await confirm({ text: `a s3cret\n${'x'.repeat(900)}`, source: 'docs/a.md', quote: 's3cret' });
    expect(record.claim.startsWith('a [redacted] x')).toBe(true);
    expect([record.claim.length, record.quote]).toEqual([500, '[redacted]']);
    expect(record.source.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
