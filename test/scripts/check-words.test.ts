// The check of retired words, as `npm run words` runs it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findRetiredWords } from '../../scripts/retired-words.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'check-words.ts');
const made: string[] = [];

function project(files: Record<string, string>, allowed: object = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-words-'));
  made.push(root);
  const all = { 'README.md': '', 'scripts/words-allowed.json': JSON.stringify(allowed), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function check(cwd: string, ...flags: string[]): Promise<{ failed: boolean; stderr: string }> {
  const args = ['--disable-warning=ExperimentalWarning', script, ...flags];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd }, (error, _, stderr) => resolve({ failed: error !== null, stderr })),
  );
}

afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true });
});

test('a retired name, comment, text and page are each named with their line', async () => {
  const root = project({
    'domain/a.ts': "export const sayCount = 1;\n/** Of tier 3. */\nexport const text = 'takes another way';\n",
    'docs/page.md': 'first\nThe contract is believed.\n',
  });
  const { failed, stderr } = await check(root);
  expect(failed).toBe(true);
  expect(stderr.trim().split('\n').toSorted()).toEqual([
    expect.stringMatching(/^docs\/page\.md:2 \[dialect\]/),
    expect.stringMatching(/^domain\/a\.ts:1 \[verb-say\] sayCount/),
    expect.stringMatching(/^domain\/a\.ts:2 \[comment-without-subject\]/),
    expect.stringMatching(/^domain\/a\.ts:3 \[dialect\]/),
  ]);
});

test('a name that is only used, or lies in the text of a test, is not counted', async () => {
  const root = project({
    'domain/a.ts': "import { sayCount } from 'elsewhere';\nexport const count = sayCount.told;\n",
    'test/a.test.ts': "const refused = 'takes another way';\n",
  });
  expect(await check(root)).toEqual({ failed: false, stderr: '' });
});

test('an allowed count passes, one more fails', async () => {
  const allowed = { 'verb-say': { 'client/a.ts': 1 } };
  expect((await check(project({ 'client/a.ts': 'const sayA = 1;\n' }, allowed))).failed).toBe(false);
  expect((await check(project({ 'client/a.ts': 'const sayA = 1;\nconst sayB = 1;\n' }, allowed))).failed).toBe(true);
});

test('an allowed count that is too high fails until it is lowered, and is never raised', async () => {
  const allowed = { 'verb-say': { 'client/a.ts': 3 } };
  const root = project({ 'client/a.ts': 'const sayA = 1;\n', 'client/b.ts': 'const sayB = 1;\n' }, allowed);
  expect((await check(root)).stderr).toContain('client/a.ts has fewer retired words');
  await check(root, '--write');
  const written: unknown = JSON.parse(readFileSync(join(root, 'scripts/words-allowed.json'), 'utf8'));
  expect(written).toEqual({ 'verb-say': { 'client/a.ts': 1 } });
  expect((await check(root)).stderr).toMatch(/^client\/b\.ts:1 \[verb-say\]/);
});

test('names of tests, the calls that define them, and pages of the root are read', async () => {
  const root = project({
    'test/a.test.ts':
      "describe.each([1])('that lasts', () => {});\nit('is read', () => {});\ntest.each([1])('a; b', () => {});\n",
    'AGENTS.md': 'One that fits is chosen.\n',
    'CHANGELOG.md': 'One that fits is chosen.\n',
  });
  const { stderr } = await check(root);
  expect(stderr.trim().split('\n').toSorted()).toEqual([
    expect.stringMatching(/^AGENTS\.md:1 \[one-that\]/),
    expect.stringMatching(/^test\/a\.test\.ts:2 \[test-it\] it/),
    expect.stringMatching(/^test\/a\.test\.ts:3 \[test-joined\] a; b/),
  ]);
});

test('a key of public JSON is kept, the same name elsewhere is not', async () => {
  const root = project({ 'domain/a.ts': 'export interface Row { told: string }\nexport const told = 1;\n' });
  expect((await check(root)).stderr).toMatch(/^domain\/a\.ts:2 \[vague-name\] told\n$/);
});

test('a tree without sources is no success', async () => {
  expect((await check(project({}))).failed).toBe(true);
});

test.each([
  ['identifier', 'hideSecrets', 'hide-is-redact'],
  ['identifier', 'judgeShell', 'judge-is-a-model'],
  ['identifier', 'goesOn', 'dialect-name'],
  ['identifier', 'found', 'vague-name'],
  ['identifier', 'saysStatus', 'verb-say'],
  ['identifier', 'meant', 'participle-name'],
  ['identifier', 'toldElsewhere', 'participle-name'],
  ['identifier', 'hasWords', 'words-is-text'],
  ['comment', '/** What it is. */', 'comment-what'],
  ['comment', '/** Wherever it waits. */', 'comment-what'],
  ['comment', '/** Nobody knows how the plan is made anew. */', 'archaic'],
  ['page', 'Plans are read. One that is cut is refused.', 'one-that'],
  ['string', 'A plan that changes nothing is none.', 'is-none'],
  ['string', 'The choices stand below the text.', 'stands'],
  ['test-name', 'a plan is read; a reply is not', 'test-joined'],
  ['test-name', 'that lasts is kept', 'test-tail'],
  ['test-call', 'it', 'test-it'],
] as const)('the %s %s breaks the rule %s', (kind, text, rule) => {
  expect(findRetiredWords(kind, text)).toEqual([rule]);
});

test.each([
  ['identifier', 'hideCursor'],
  ['identifier', 'judgeSubtask'],
  ['identifier', 'findRecord'],
  ['identifier', 'isUnknown'],
  ['identifier', 'hasAsked'],
  ['comment', '/** Most bytes that one command may print. */'],
  ['comment', '/** The last one that is kept; where there is none, the first. */'],
  ['page', 'Use the nearest one that is named.'],
  ['test-name', 'a cut stream voids the reply'],
] as const)('the %s %s breaks none', (kind, text) => {
  expect(findRetiredWords(kind, text)).toEqual([]);
});
