// The check of crowded folders, as `npm run walls` runs it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'check-folders.ts');
const rooms = ['domain', 'workflows', 'activities', 'workers', 'client', 'bench', 'scripts', 'test'];
const made: string[] = [];

function project(filesByFolder: Record<string, number>): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-folders-'));
  made.push(root);
  for (const room of rooms) mkdirSync(join(root, room));
  for (const [folder, files] of Object.entries(filesByFolder)) {
    mkdirSync(join(root, folder), { recursive: true });
    for (let file = 0; file < files; file += 1) writeFileSync(join(root, folder, `${file}.ts`), '');
  }
  return root;
}

function check(cwd: string): Promise<{ failed: boolean; said: string }> {
  const args = ['--disable-warning=ExperimentalWarning', script];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd }, (error, _, said) => resolve({ failed: error !== null, said })),
  );
}

afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true });
});

test('25 files are as many as a folder may have; sub-folders and recorded data do not count', async () => {
  const root = project({ domain: 25, 'domain/plan': 25, 'test/corpora/histories': 40 });
  expect(await check(root)).toEqual({ failed: false, said: '' });
});

test('one more fails, and the folder is named', async () => {
  const { failed, said } = await check(project({ 'client/cli/render': 26, 'test/e2e': 30 }));
  expect(failed).toBe(true);
  expect(said.trim().split('\n')).toEqual([
    expect.stringMatching(/^client\/cli\/render has 26 files/),
    expect.stringMatching(/^test\/e2e has 30 files/),
  ]);
});

test('a room that is not there is no success', async () => {
  const root = project({});
  rmSync(join(root, 'workers'), { recursive: true });
  expect((await check(root)).failed).toBe(true);
});
