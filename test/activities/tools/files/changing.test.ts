// write_file, edit_file, delete_path, move_path: what they do, what they refuse, and that a plan changes nothing.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryName } from '../../../../activities/tools/confine/write-below.ts';
import { planEffect, performEffect, settleEffect } from '../../../../activities/tools/run-tool.ts';
import type { CallEffect } from '../../../../activities/tools/common/tool.ts';
import type { BuiltInTool } from '../../../../domain/executors/agent.ts';
import { mutatingTool } from './mutating-tool.ts';
import { makeRig, type ToolRig } from './support.ts';

let rig: ToolRig;
beforeEach(async () => {
  rig = await makeRig();
});

const textAt = (path: string): string => readFileSync(rig.at(path), 'utf8');

async function plan(name: BuiltInTool, args: unknown): Promise<CallEffect> {
  const planned = await planEffect(mutatingTool(name), args, rig.place);
  if ('ok' in planned) throw new Error(planned.text);
  return planned;
}

test('write_file creates a file and the folders on the way, and says what it changed', async () => {
  expect(await rig.call('write_file', { path: 'a/b/c.txt', content: 'ü\n' })).toEqual({
    ok: true,
    text: 'a/b/c.txt: created with 3 bytes.',
    changed: ['a/b/c.txt'],
  });
  expect(textAt('a/b/c.txt')).toBe('ü\n');
  expect(readdirSync(rig.at('a/b'))).toEqual(['c.txt']);
});

test('write_file replaces a file and keeps its permissions', async () => {
  rig.write({ 'run.sh': 'old' });
  chmodSync(rig.at('run.sh'), 0o4750);
  expect((await rig.call('write_file', { path: 'run.sh', content: 'new' })).text).toBe(
    'run.sh: overwritten with 3 bytes.',
  );
  expect(textAt('run.sh')).toBe('new');
  expect(statSync(rig.at('run.sh')).mode & 0o7777).toBe(0o4750);
});

test('write_file of what is there already changes nothing', async () => {
  rig.write({ 'a.txt': 'same' });
  const before = statSync(rig.at('a.txt')).ino;
  expect(await rig.call('write_file', { path: 'a.txt', content: 'same' })).toMatchObject({ ok: true });
  expect(statSync(rig.at('a.txt')).ino).toBe(before);
});

test('a write through a link inside goes to its file, and the link stays', async () => {
  rig.write({ 'docs/a.md': 'old' });
  symlinkSync('docs/a.md', rig.at('a.md'));
  symlinkSync('docs', rig.at('d'));
  expect(await rig.call('write_file', { path: 'a.md', content: 'new' })).toMatchObject({ changed: ['docs/a.md'] });
  expect(await rig.call('write_file', { path: 'd/x/b.md', content: 'b' })).toMatchObject({ changed: ['docs/x/b.md'] });
  expect([textAt('docs/a.md'), textAt('docs/x/b.md'), readlinkSync(rig.at('a.md'))]).toEqual(['new', 'b', 'docs/a.md']);
});

test.each<[string, string]>([
  ['../outside/secret.txt', 'is outside the workspace'],
  ['../outside/new.txt', 'is outside the workspace'],
  ['link/new.txt', 'is outside the workspace'],
  ['dangling', 'is outside the workspace'],
  ['/etc/heddle-test', 'is outside the workspace'],
  ['a/../../x', 'is outside the workspace'],
  ['.git/hooks/pre-commit', 'belongs to git'],
  ['sub/.GIT/config', 'belongs to git'],
  ['.heddle-undo~x', 'reserved'],
  ['.', 'is the workspace itself'],
  ['a/..', 'is the workspace itself'],
])('nothing is written, deleted or moved to %s', async (path, why) => {
  rig.write({ 'a/x.txt': 'x', '.git/config': 'c' });
  symlinkSync(rig.outside, rig.at('link'));
  symlinkSync(join(rig.outside, 'gone'), rig.at('dangling'));
  const before = execFileSync('find', [join(rig.workspace, '..'), '-printf', '%p %i %s %T@\n'], { encoding: 'utf8' });
  const calls = [
    await rig.call('write_file', { path, content: 'bad' }),
    await rig.call('edit_file', { path, old: 'classified', new: 'bad' }),
    // The link itself is inside: it may go.
    ...(path === 'dangling' ? [] : [await rig.call('delete_path', { path })]),
    ...(path === 'dangling' ? [] : [await rig.call('move_path', { from: 'a/x.txt', to: path })]),
    ...(path === 'dangling' ? [] : [await rig.call('move_path', { from: path, to: 'stolen' })]),
  ];
  for (const outcome of calls) {
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.refused).toContain(why);
  }
  expect(execFileSync('find', [join(rig.workspace, '..'), '-printf', '%p %i %s %T@\n'], { encoding: 'utf8' })).toBe(
    before,
  );
});

test('paths with .. and absolute ones are fine when they lead inside', async () => {
  rig.write({ 'a/x.txt': '1' });
  for (const path of ['a/../b.txt', `../work/b.txt`, rig.at('b.txt'), './/b.txt', 'missing/../b.txt']) {
    expect(await rig.call('write_file', { path, content: path }), path).toMatchObject({ ok: true, changed: ['b.txt'] });
  }
});

test('a variant of a deliverable is refused on a retry, with the right name', async () => {
  const retry = { fixedDeliverables: ['docs/notes.md'] };
  rig.write({ 'docs/notes.md': 'x' });
  const outcome = await rig.call('write_file', { path: 'docs/notes-v2.md', content: 'x' }, retry);
  expect(outcome.refused).toBe(
    '`docs/notes-v2.md` is a variant of the deliverable `docs/notes.md`. Change `docs/notes.md` itself.',
  );
  expect(await rig.call('move_path', { from: 'docs/notes.md', to: 'docs/notes_final.md' }, retry)).toMatchObject({
    ok: false,
    refused: expect.any(String) as string,
  });
  expect(await rig.call('write_file', { path: 'docs/notes.md', content: 'y' }, retry)).toMatchObject({ ok: true });
  expect(
    await rig.call('write_file', { path: 'docs/notes-v2.md', content: 'x' }, { fixedDeliverables: [] }),
  ).toMatchObject({ ok: true });
  expect(await rig.call('delete_path', { path: 'docs/notes-v2.md' }, retry)).toMatchObject({ ok: true });
});

test('edit_file edits, keeps CRLF and a byte order mark, and says where', async () => {
  rig.write({ 'a.txt': '\ufeffone\r\ntwo\r\n' });
  expect(await rig.call('edit_file', { path: 'a.txt', old: 'two', new: 'x\ny' })).toEqual({
    ok: true,
    text: 'a.txt: edited at line 2.',
    changed: ['a.txt'],
  });
  expect(textAt('a.txt')).toBe('\ufeffone\r\nx\r\ny\r\n');
});

test.each<[string, object, string]>([
  [
    'twice',
    { old: 'go', new: 'x' },
    '`old` is at 3 places (lines 1, 2 and 3): nothing was changed. Add lines around it until it fits one, or set all: true for every exact one.',
  ],
  [
    'nowhere',
    { old: 'go to the town', new: 'x' },
    '`old` is not in the file. The nearest is at lines 2-4:\ngo to town\ngo(3)',
  ],
  ['the same', { old: 'a', new: 'a' }, '`old` and `new` are the same: there is nothing to change.'],
])('edit_file refuses what is %s', async (_, args, text) => {
  rig.write({ 'a.txt': 'go away\ngo to town\ngo(3)\n' });
  const outcome = await rig.call('edit_file', { path: 'a.txt', ...args });
  expect(outcome.ok).toBe(false);
  expect(outcome.text).toContain(text);
  expect(textAt('a.txt')).toBe('go away\ngo to town\ngo(3)\n');
});

test.each<[string, Buffer, string]>([
  ['an image', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'is not text: PNG image'],
  ['binary data', Buffer.from('a\0b'), 'is not text: binary data'],
  ['another encoding', Buffer.from('caf\xe9 a', 'latin1'), 'is not UTF-8'],
  ['UTF-16', Buffer.from('\ufeffa', 'utf16le'), 'is not UTF-8'],
  ['a large file', Buffer.alloc(3 * 1024 * 1024, 'a'), 'has 3.15 MB; files up to 2.1 MB are edited'],
])('edit_file does not damage %s', async (_, content, text) => {
  rig.write({ file: content });
  const outcome = await rig.call('edit_file', { path: 'file', old: 'a', new: 'b' });
  expect(outcome).toMatchObject({ ok: false });
  expect(outcome.text).toContain(text);
  expect(readFileSync(rig.at('file')).equals(content)).toBe(true);
});

test('delete_path removes a file, a link without its target, a folder without what its links point to', async () => {
  rig.write({ 'a.txt': 'a', 'kept.txt': 'k', 'f/x/y.txt': 'y', 'f/z': '' });
  symlinkSync('kept.txt', rig.at('l'));
  symlinkSync(rig.outside, rig.at('f/out'));
  symlinkSync('../kept.txt', rig.at('f/x/l'));
  execFileSync('mkfifo', [rig.at('f/pipe')]);
  expect(await rig.call('delete_path', { path: 'a.txt' })).toEqual({
    ok: true,
    text: 'a.txt deleted.',
    changed: ['a.txt'],
  });
  expect(await rig.call('delete_path', { path: 'l' })).toMatchObject({ ok: true });
  expect(await rig.call('delete_path', { path: 'f/' })).toMatchObject({ ok: true, changed: ['f'] });
  expect(readdirSync(rig.workspace)).toEqual(['kept.txt']);
  expect(readdirSync(rig.outside)).toEqual(['secret.txt']);
  expect(await rig.call('delete_path', { path: 'a.txt' })).toMatchObject({ ok: false });
});

test('move_path moves files, links and folders, makes folders on the way, and overwrites nothing', async () => {
  rig.write({ 'a.txt': 'a', 'b.txt': 'b', 'f/x': 'x' });
  symlinkSync('a.txt', rig.at('l'));
  expect(await rig.call('move_path', { from: 'a.txt', to: 'n/e/w.txt' })).toMatchObject({
    ok: true,
    changed: ['a.txt', 'n/e/w.txt'],
  });
  expect(await rig.call('move_path', { from: 'l', to: 'l2' })).toMatchObject({ ok: true });
  expect(await rig.call('move_path', { from: 'f', to: 'n/f' })).toMatchObject({ ok: true });
  expect([textAt('n/e/w.txt'), readlinkSync(rig.at('l2')), textAt('n/f/x')]).toEqual(['a', 'a.txt', 'x']);
  for (const [from, to] of [
    ['b.txt', 'n/e/w.txt'],
    ['b.txt', 'n'],
    ['b.txt', 'b.txt'],
    ['n', 'n/e/n'],
    ['gone', 'x'],
  ]) {
    expect(await rig.call('move_path', { from, to }), `${from} ${to}`).toMatchObject({ ok: false });
  }
  expect([textAt('b.txt'), textAt('n/e/w.txt')]).toEqual(['b', 'a']);
});

const changes: [BuiltInTool, object][] = [
  ['write_file', { path: 'new/a.txt', content: 'new' }],
  ['write_file', { path: 'a.txt', content: 'new' }],
  ['edit_file', { path: 'a.txt', old: 'one', new: '1' }],
  ['delete_path', { path: 'a.txt' }],
  ['delete_path', { path: 'f' }],
  ['move_path', { from: 'a.txt', to: 'm/b.txt' }],
  ['move_path', { from: 'f', to: 'g' }],
];

test.each(changes)('%s is planned without a change, and settled by what the files show: %o', async (name, args) => {
  rig.write({ 'a.txt': 'one two', 'f/x.txt': 'x' });
  const before = readdirSync(rig.workspace, { recursive: true }).sort();
  const effect = await plan(name, args);
  expect(JSON.parse(JSON.stringify(effect))).toEqual(effect);
  expect(readdirSync(rig.workspace, { recursive: true }).sort()).toEqual(before);
  expect(textAt('a.txt')).toBe('one two');
  expect(await settleEffect(mutatingTool(name), effect, rig.place)).toBe('not-done');
  expect(await performEffect(mutatingTool(name), args, effect, rig.place)).toMatchObject({
    kind: 'ended',
    outcome: { ok: true },
  });
  expect(await settleEffect(mutatingTool(name), effect, rig.place)).toBe('done');
  const again = await performEffect(mutatingTool(name), args, effect, rig.place);
  expect(again).toMatchObject({ kind: 'ended', outcome: { ok: false } });
});

test.each(changes)('%s stops where the file is another one meanwhile, and is unclear: %o', async (name, args) => {
  rig.write({ 'a.txt': 'one two', 'f/x.txt': 'x' });
  const effect = await plan(name, args);
  const [{ path } = { path: '' }] = effect.files;
  if (effect.files[0]?.before?.startsWith('folder:') === true) writeFileSync(rig.at(`${path}/more`), 'm');
  else {
    mkdirSync(join(rig.at(path), '..'), { recursive: true });
    writeFileSync(rig.at(path), 'somebody else');
  }
  const performed = await performEffect(mutatingTool(name), args, effect, rig.place);
  expect(performed).toMatchObject({ kind: 'ended', outcome: { ok: false } });
  expect(performed.kind === 'ended' && performed.outcome.text).toContain('changed meanwhile: nothing was done');
  expect(await settleEffect(mutatingTool(name), effect, rig.place)).toBe('unclear');
  expect(existsSync(rig.at(path))).toBe(true);
});

test('what a crash left unfinished is removed when the effect is settled, and nothing else', async () => {
  rig.write({ 'f/x.txt': 'x', 'a.txt': 'a' });
  const remove = await plan('delete_path', { path: 'f' });
  const write = await plan('write_file', { path: 'a.txt', content: 'new' });
  writeFileSync(rig.at(temporaryName('a.txt')), 'ne');
  mkdirSync(rig.at(temporaryName('f')));
  writeFileSync(join(rig.at(temporaryName('other.txt'))), 'in flight');
  expect(await settleEffect(mutatingTool('write_file'), write, rig.place)).toBe('not-done');
  expect(await settleEffect(mutatingTool('delete_path'), remove, rig.place)).toBe('not-done');
  const left = readdirSync(rig.workspace);
  expect(left.filter((name) => name.startsWith('.heddle-undo~'))).toHaveLength(1);
  expect(lstatSync(rig.at('f')).isDirectory()).toBe(true);
});
