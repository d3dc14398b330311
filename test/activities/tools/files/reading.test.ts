// read_file, list_folder, find_files, search_text: what a model sees, and how much of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import { makeRig, type ToolRig } from './support.ts';

let rig: ToolRig;
beforeEach(async () => {
  rig = await makeRig();
});

const { shownBytes, keptBytes } = activityLimits.tools;
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

test.each<[string, string | Buffer, object, string]>([
  ['a small file', 'a\nb\n', {}, 'lines 1-2 of 2\na\nb'],
  ['a file without a last line end', 'a\nb', {}, 'lines 1-2 of 2\na\nb'],
  ['a part', numbered(9), { from: 3, lines: 2 }, 'lines 3-4 of 9; read on with from: 5\nline 3\nline 4'],
  ['the end', numbered(9), { from: 9 }, 'lines 9-9 of 9\nline 9'],
  ['CRLF without its returns', 'a\r\nb\r\n', {}, 'lines 1-2 of 2\na\nb'],
  ['UTF-16 that says so', Buffer.from('\ufeffä\n', 'utf16le'), {}, 'lines 1-1 of 1\nä'],
  ['an empty file', '', {}, 'The file is empty.'],
  ['an image as what it is', Buffer.from('89504e470d0a1a0a0000', 'hex'), {}, 'Not text: PNG image, 10 bytes.'],
  ['binary data', Buffer.from([1, 0, 2]), {}, 'Not text: binary data, 3 bytes.'],
  ['a program as what it is', Buffer.from('\x7fELF\x02\x01\0', 'latin1'), {}, 'Not text: ELF program, 7 bytes.'],
  ['a text that begins like a bitmap', 'BMW drivers\n', {}, 'lines 1-1 of 1\nBMW drivers'],
])('read_file shows %s', async (_, content, more, expected) => {
  rig.write({ 'a.txt': content });
  expect(await rig.call('read_file', { path: 'a.txt', ...more })).toEqual({ ok: true, text: expected });
});

test('read_file shows the first 200 lines and says how to read on', async () => {
  rig.write({ 'a.txt': numbered(1_234) });
  const { text } = await rig.call('read_file', { path: 'a.txt' });
  expect(text.split('\n')[0]).toBe('lines 1-200 of 1234; read on with from: 201');
  expect(await rig.call('read_file', { path: 'a.txt', from: 2_000 })).toMatchObject({
    ok: false,
    text: 'The file has 1234 lines: there is no line 2000.',
  });
});

test('a result is at most 8 KB, its lines 500 characters; the rest is kept, up to 1 MB', async () => {
  rig.write({ 'wide.txt': `${'x'.repeat(600)}\n`.repeat(5_000), 'one.txt': 'ü'.repeat(100_000) });
  const wide = await rig.call('read_file', { path: 'wide.txt', lines: 5_000 });
  const [head, first = ''] = wide.text.split('\n');
  const shown = Number(/lines 1-(\d+) of 5000; read on with from: \d+/.exec(head ?? '')?.[1]);
  expect(shown).toBeGreaterThan(10);
  expect(first).toBe(`${'x'.repeat(499)}… (cut: 600 characters)`);
  expect(Buffer.byteLength(wide.text)).toBeLessThan(shownBytes + 200);
  expect(Buffer.byteLength(wide.whole ?? '')).toBeGreaterThan(keptBytes / 2);
  expect(Buffer.byteLength(wide.whole ?? '')).toBeLessThanOrEqual(keptBytes);
  const next = await rig.call('read_file', { path: 'wide.txt', from: shown + 1, lines: 1 });
  expect(next.text).toContain(`lines ${shown + 1}-${shown + 1} of 5000`);
  const one = await rig.call('read_file', { path: 'one.txt' });
  expect(one.text).toContain('(cut: 100000 characters)');
});

test.each<[string, (path: string) => unknown, string]>([
  ['nothing', () => undefined, 'There is nothing at `odd`.'],
  ['a folder', (path) => mkdirSync(path), '`odd` is a folder, not a file.'],
  ['a pipe, without waiting', (path) => execFileSync('mkfifo', [path]), 'is not a regular file'],
  ['a device', (path) => symlinkSync('/dev/zero', path), 'is outside the workspace'],
  ['a link to nothing', (path) => symlinkSync('gone', path), 'There is nothing at `gone`.'],
  ['a link in a circle', (path) => symlinkSync('odd', path), 'not a regular file'],
  ['a socket', (path) => listen(path), 'is not a regular file'],
])('read_file of %s says so', async (_, make, text) => {
  await make(rig.at('odd'));
  const outcome = await rig.call('read_file', { path: 'odd' });
  expect(outcome).toMatchObject({ ok: false });
  expect(outcome.text).toContain(text);
});

async function listen(path: string): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

test.each([
  ['a\0b', 'A path cannot contain the character U+0000.'],
  ['x'.repeat(300), 'has a name that is too long'],
  ['x/'.repeat(4_000), 'read_file was not run.'],
  ['a.txt/b', 'a file is on the way where a folder should be'],
])('a path that cannot be is answered: %#', async (path, text) => {
  rig.write({ 'a.txt': '' });
  expect((await rig.call('read_file', { path })).text).toContain(text);
  expect((await rig.call('write_file', { path, content: '' })).ok).toBe(false);
});

test('a name that is nearly right is suggested', async () => {
  rig.write({ 'src/parser.ts': '' });
  expect((await rig.call('read_file', { path: 'src/parsre.ts' })).text).toBe(
    'There is nothing at `src/parsre.ts`. Did you mean `parser.ts`?',
  );
});

test('list_folder shows folders, sizes and links, sorted', async () => {
  rig.write({ 'b.txt': 'abc', 'a/x': '', '.hidden': '' });
  symlinkSync('b.txt', rig.at('c'));
  expect((await rig.call('list_folder', {})).text).toBe('.hidden 0 bytes\na/\nb.txt 3 bytes\nc -> b.txt');
  expect((await rig.call('list_folder', { path: 'a' })).text).toBe('x 0 bytes');
  expect((await rig.call('list_folder', { path: 'b.txt' })).text).toBe('`b.txt` is not a folder.');
  mkdirSync(rig.at('empty'));
  expect((await rig.call('list_folder', { path: 'empty' })).text).toBe('The folder is empty.');
});

test('a long listing is cut at 8 KB, and the whole is kept', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `file-with-a-long-name-${1_000 + index}`);
  rig.write(Object.fromEntries(names.map((name) => [name, ''])));
  const { text, whole } = await rig.call('list_folder', {});
  expect(Buffer.byteLength(text)).toBeLessThan(shownBytes + 200);
  expect(text).toMatch(/\n\d+ more entries follow: list a folder inside, or use find_files\.$/);
  expect(whole?.split('\n')).toHaveLength(600);
});

test.each<[string, string[]]>([
  ['*.ts', ['a.ts', 'src/b.ts', 'src/deep/c.ts']],
  ['src/**/*.ts', ['src/b.ts', 'src/deep/c.ts']],
  ['src/*.ts', ['src/b.ts']],
  ['src/', ['src/b.ts', 'src/deep/c.ts']],
  ['**/c.{ts,js}', ['src/deep/c.ts']],
  ['./src/b.ts', ['src/b.ts']],
  ['src/../a.ts', ['a.ts']],
  ['.env', ['.env']],
  ['*.none', []],
])('find_files finds %s', async (pattern, expected) => {
  rig.write({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', '.env': '', '.git/x.ts': '', 'node_modules/y.ts': '' });
  symlinkSync(rig.outside, rig.at('link'));
  const { ok, text } = await rig.call('find_files', { pattern });
  expect(ok).toBe(true);
  expect(text).toBe(expected.length === 0 ? 'No file matches.' : expected.join('\n'));
});

test('search_text shows places by file, in binary files none', async () => {
  rig.write({
    'a.md': 'x\nTODO one\n',
    'b/c.md': 'no\nno\n  TODO two\n',
    'i.png': Buffer.from('\x89PNG\r\n\x1a\nTODO', 'latin1'),
  });
  symlinkSync(join(rig.outside, 'secret.txt'), rig.at('s.md'));
  const { text } = await rig.call('search_text', { pattern: 'TODO \\w+|classified' });
  expect(text).toBe('a.md\n  line 2: TODO one\nb/c.md\n  line 3: TODO two');
  expect((await rig.call('search_text', { pattern: 'TODO', path: 'b' })).text).toBe('b/c.md\n  line 3: TODO two');
  expect((await rig.call('search_text', { pattern: 'TODO', path: 'a.md' })).text).toBe('a.md\n  line 2: TODO one');
  expect((await rig.call('search_text', { pattern: 'TODO three' })).text).toBe('Nothing matches.');
  expect((await rig.call('search_text', { pattern: 'x', path: 'gone' })).ok).toBe(false);
});

test('search_text passes by what git ignores, unless it is named', async () => {
  rig.write({
    '.gitignore': '*.log\nbuild/\n/only-here\n!keep.log\n',
    'a.md': 'TODO a\n',
    'a.log': 'TODO ignored\n',
    'keep.log': 'TODO kept\n',
    'build/b.md': 'TODO ignored\n',
    'sub/build/c.md': 'TODO ignored\n',
    'sub/only-here': 'TODO not here\n',
    'sub/.gitignore': '!d.log\nlocal\n',
    'sub/d.log': 'TODO taken back\n',
    'sub/local/e.md': 'TODO ignored\n',
  });
  const search = async (args: object): Promise<string[]> =>
    (await rig.call('search_text', { pattern: 'TODO', ...args })).text
      .split('\n')
      .filter((line) => !line.startsWith(' '));
  expect(await search({})).toEqual(['a.md', 'keep.log', 'sub/d.log', 'sub/only-here']);
  expect(await search({ path: 'sub' })).toEqual(['sub/d.log', 'sub/only-here']);
  expect(await search({ path: 'build' })).toEqual(['build/b.md']);
  expect(await search({ path: 'a.log' })).toEqual(['a.log']);
  expect(await search({ pattern: 'nowhere' })).toEqual([
    'Nothing matches.',
    'Files that git ignores were not searched.',
  ]);
});

test('search_text and find_files show what they have found when their time is over', async () => {
  rig.write({ 'a.md': 'TODO a\n', 'b.md': 'TODO b\n' });
  const late = vi.spyOn(performance, 'now');
  onTestFinished(() => late.mockRestore());
  let asked = 0;
  late.mockImplementation(() => ((asked += 1) <= 2 ? 0 : 16_000));
  expect((await rig.call('search_text', { pattern: 'TODO' })).text).toBe(
    'a.md\n  line 1: TODO a\nStopped after 15 s: search in a folder inside.',
  );
  asked = 0;
  expect((await rig.call('find_files', { pattern: '*.md' })).text).toBe(
    'a.md\nStopped after 15 s: begin the pattern with a folder.',
  );
});

test('search_text takes what is no regular expression as plain text, and counts files that are too large', async () => {
  rig.write({ 'a.md': 'call(a, b[\n', 'large.md': 'call(a, b[\n'.repeat(200_000) });
  const { text } = await rig.call('search_text', { pattern: 'call(a, b[' });
  expect(text).toBe(
    'a.md\n  line 1: call(a, b[\nThe pattern is no regular expression: it was searched as plain text.\n1 file too large to be searched.',
  );
});

test('a pattern that explodes is stopped, and said to be', async () => {
  rig.write({ 'a.md': `${'a'.repeat(40)}b\n` });
  const { ok, text } = await rig.call('search_text', { pattern: '^(a+)+$' });
  expect(ok).toBe(false);
  expect(text).toBe('The pattern took too long on a.md: simplify it.');
});

test('read roots are read by absolute paths and never written; everything else outside is refused', async () => {
  const readRoots = [rig.outside];
  const secret = join(rig.outside, 'secret.txt');
  expect(await rig.call('read_file', { path: secret }, { readRoots })).toMatchObject({ ok: true });
  expect((await rig.call('search_text', { pattern: 'classified', path: rig.outside }, { readRoots })).text).toContain(
    secret,
  );
  expect((await rig.call('find_files', { pattern: `${rig.outside}/*.txt` }, { readRoots })).text).toBe(secret);
  expect(await rig.call('write_file', { path: secret, content: '' }, { readRoots })).toMatchObject({
    ok: false,
    refused: expect.any(String) as string,
  });
  const refused = await rig.call('read_file', { path: secret });
  expect(refused.text).toBe(
    `Refused: \`${secret}\` is outside the workspace. Read only inside the workspace; use paths relative to it.`,
  );
  for (const [tool, args] of [
    ['list_folder', { path: '..' }],
    ['find_files', { pattern: '../**' }],
    ['find_files', { pattern: '/etc/*' }],
    ['search_text', { pattern: 'x', path: '/proc/self/root/etc' }],
    ['read_file', { path: '/proc/self/environ' }],
  ] as const) {
    expect(await rig.call(tool, args), JSON.stringify(args)).toMatchObject({
      ok: false,
      refused: expect.any(String) as string,
    });
  }
});
