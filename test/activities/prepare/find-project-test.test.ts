/* How the project in a folder tests itself: read from its files, which may be anything. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rmSync } from 'node:fs';
import { findProjectTest } from '../../../activities/prepare/find-project-test.ts';

const crate = '[package]\nname = "x"\n';

/** A folder, and a PATH with programs of these names. */
function place(...programs: string[]): { folder: string; path: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-test-command-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, path] = [join(root, 'project'), join(root, 'bin')];
  for (const each of [folder, path]) mkdirSync(each);
  for (const program of programs) {
    writeFileSync(join(path, program), '#!/bin/sh\n');
    chmodSync(join(path, program), 0o755);
  }
  return { folder, path };
}

test('a command is proposed with the file that names it', async () => {
  const { folder, path } = place('cargo');
  writeFileSync(join(folder, 'Cargo.toml'), crate);
  expect(await findProjectTest(folder, path)).toEqual({ command: 'cargo test', file: 'Cargo.toml' });
});

test('a command whose program is not installed is passed over', async () => {
  const { folder, path } = place('go');
  writeFileSync(join(folder, 'Cargo.toml'), crate);
  writeFileSync(join(folder, 'go.mod'), 'module x\n');
  expect(await findProjectTest(folder, path)).toEqual({ command: 'go test ./...', file: 'go.mod' });
});

test.each<[string, (file: string, outside: string) => void]>([
  ['is missing', () => undefined],
  ['is too large', (file) => writeFileSync(file, `${crate}#${'x'.repeat(300 * 1024)}`)],
  ['is binary', (file) => writeFileSync(file, Buffer.concat([Buffer.from(crate), Buffer.alloc(2)]))],
  ['is a folder', (file) => mkdirSync(file)],
  ['is a named pipe', (file) => void execFileSync('mkfifo', [file])],
  ['leads nowhere', (file) => symlinkSync('nowhere', file)],
  ['leads to itself', (file) => symlinkSync('Cargo.toml', file)],
  [
    'leads out of the folder',
    (file, outside) => {
      writeFileSync(outside, crate);
      symlinkSync(outside, file);
    },
  ],
])('a file that %s names no command', async (_, make) => {
  const { folder, path } = place('cargo');
  make(join(folder, 'Cargo.toml'), join(path, 'Cargo.toml'));
  expect(await findProjectTest(folder, path)).toBeUndefined();
});
