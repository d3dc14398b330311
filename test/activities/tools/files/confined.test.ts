// Nothing leads outside: not while somebody swaps a folder for a link, not by any spelling of a path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { withConfined } from '../../../../activities/tools/confine/open-confined.ts';
import { PathProblem } from '../../../../activities/tools/confine/path-problem.ts';
import { readBelow } from '../../../../activities/tools/confine/read-below.ts';
import { makeRig, type ToolRig } from './support.ts';

/** HEDDLE_FUZZ_RUNS=10000 for a long look. */
const asked = process.env['HEDDLE_FUZZ_RUNS'];
/** How long tools use a folder that is swapped. */
const swapped = asked === undefined ? 1_000 : 30_000;
const patience = asked === undefined ? 60_000 : 3_600_000;

/** Swaps a folder for a link to the outside and back, as fast as it can. */
const swapper = `
const fs = require('node:fs');
const [folder, outside] = process.argv.slice(1);
const [real, link] = [folder + '.real', folder + '.link'];
fs.symlinkSync(outside, link);
process.stdout.write('ready');
let junk = 0;
const move = (from, to) => {
  try {
    fs.renameSync(from, to);
  } catch {
    // A tool has made the folder anew while it was away.
    if (fs.existsSync(from)) fs.renameSync(to, folder + '.junk' + junk++);
  }
};
const swap = () => {
  move(folder, real);
  move(link, folder);
  move(folder, link);
  move(real, folder);
};
setInterval(() => {
  try {
    for (let i = 0; i < 100; i++) swap();
  } catch {}
}, 0);
`;

async function startSwapping(folder: string, outside: string): Promise<void> {
  const child = spawn(process.execPath, ['-e', swapper, folder, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
}

const outsideOf = (rig: ToolRig): string[] => readdirSync(rig.outside, { recursive: true, encoding: 'utf8' }).sort();

test('a folder that is swapped for a link while tools use it never leads outside', async () => {
  const rig = await makeRig();
  rig.write({ 'd/secret.txt': 'mine\n', 'd/sub/x.txt': 'x', 'elsewhere.txt': 'e' });
  mkdirSync(join(rig.outside, 'sub'));
  writeFileSync(join(rig.outside, 'sub/x.txt'), 'classified\n');
  const before = outsideOf(rig);
  await startSwapping(rig.at('d'), rig.outside);
  const end = performance.now() + swapped;
  const ends = { ok: 0, not: 0 };
  // Until both have happened, however busy the machine is: else the swaps were not met.
  for (let n = 0; performance.now() < end || ends.ok === 0 || ends.not === 0; n += 1) {
    const outcomes = [
      await rig.call('write_file', { path: `d/new/${n}.txt`, content: 'w' }),
      await rig.call('write_file', { path: 'd/secret.txt', content: `mine ${n}\n` }),
      await rig.call('edit_file', { path: 'd/secret.txt', old: 'mine', new: 'mine,' }),
      await rig.call('move_path', { from: 'elsewhere.txt', to: 'd/moved.txt' }),
      await rig.call('move_path', { from: 'd/moved.txt', to: 'elsewhere.txt' }),
      await rig.call('delete_path', { path: 'd/sub/x.txt' }),
      await rig.call('read_file', { path: 'd/secret.txt' }),
      await rig.call('search_text', { pattern: 'classified', path: 'd' }),
      await rig.call('find_files', { pattern: 'd/**' }),
    ];
    for (const { ok, text } of outcomes) {
      ends[ok ? 'ok' : 'not'] += 1;
      expect(text).not.toContain('classified');
    }
  }
  expect(outsideOf(rig)).toEqual(before);
  expect(readFileSync(join(rig.outside, 'secret.txt'), 'utf8')).toBe('classified\n');
  expect(readFileSync(join(rig.outside, 'sub/x.txt'), 'utf8')).toBe('classified\n');
});

test('a folder that is emptied while one inside is swapped for a link loses the link only', async () => {
  const rig = await makeRig();
  rig.write({ 'f/d/e/x': 'x' });
  await startSwapping(rig.at('f/d'), rig.outside);
  // The swaps go on inside the folder that was moved aside, until there is nothing left to swap.
  const outcome = await rig.call('delete_path', { path: 'f' });
  expect(outcome.text).not.toBe('');
  expect(outsideOf(rig)).toEqual(['secret.txt']);
});

const part = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'b',
    'in',
    'out',
    'up',
    'loop',
    'secret.txt',
    'new',
    'ü',
    'A\u0301',
    '…',
    '\u202e',
    '~',
    '.git',
    '%2e%2e',
    '..\\..',
  ),
  fc.string({ maxLength: 5 }),
);
const spelled = fc
  .tuple(
    fc.constantFrom('', '/', './', '../', '<work>/', '<outside>/', '<work>/../outside/'),
    fc.array(part, { maxLength: 6 }),
  )
  .map(([start, parts]) => start + parts.join('/'));

test('no spelling of a path changes or shows anything outside', { timeout: patience }, async () => {
  const rig = await makeRig();
  const build = (): void => {
    for (const name of readdirSync(rig.workspace)) rmSync(rig.at(name), { recursive: true });
    rig.write({ 'a/b/x': 'x', 'in/x': 'x' });
    symlinkSync(rig.outside, rig.at('out'));
    symlinkSync('..', rig.at('up'));
    symlinkSync('../..', rig.at('a/up'));
    symlinkSync('a/b', rig.at('b'));
    symlinkSync('loop', rig.at('loop'));
    symlinkSync('/', rig.at('a/out'));
  };
  await fc.assert(
    fc.asyncProperty(spelled, spelled, async (one, other) => {
      build();
      const [path, to] = [one, other].map((text) =>
        text.replace('<work>', rig.workspace).replace('<outside>', rig.outside),
      );
      const outcomes = [
        await rig.call('read_file', { path }),
        await rig.call('list_folder', { path }),
        await rig.call('write_file', { path, content: 'w' }),
        await rig.call('edit_file', { path, old: 'classified', new: 'bad' }),
        await rig.call('move_path', { from: path, to }),
        await rig.call('delete_path', { path }),
      ];
      for (const { text } of outcomes) expect(text).not.toContain('classified');
      expect(outsideOf(rig)).toEqual(['secret.txt']);
      expect(readFileSync(join(rig.outside, 'secret.txt'), 'utf8')).toBe('classified\n');
      expect(readdirSync(join(rig.workspace, '..')).sort()).toEqual(['outside', 'work']);
    }),
    { numRuns: Number(asked ?? 100) },
  );
});

test('where the system shows no handles as paths, names are looked at before and after', async () => {
  const rig = await makeRig();
  rig.write({ 'd/a.txt': 'a' });
  symlinkSync(rig.outside, rig.at('out'));
  const read = (path: string, meanwhile: () => void = () => undefined): Promise<string> =>
    withConfined(rig.place, { path, to: 'read', last: 'follow', way: 'name' }, async (confined) => {
      meanwhile();
      return (await readBelow(confined, 100)).bytes.toString();
    });
  expect(await read('d/a.txt')).toBe('a');
  await expect(read('out/secret.txt')).rejects.toMatchObject({ kind: 'outside' });
  const swap = (): void => {
    renameSync(rig.at('d'), rig.at('d.real'));
    symlinkSync(rig.outside, rig.at('d'));
    writeFileSync(join(rig.outside, 'a.txt'), 'secret');
  };
  await expect(read('d/a.txt', swap)).rejects.toBeInstanceOf(PathProblem);
});
