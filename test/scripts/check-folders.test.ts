// The check of crowded folders, as `npm run walls` runs it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

function write(root: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('a folder of a room may hold 20 files, and one of tests 25', async () => {
  const root = project({ domain: 20, 'domain/plan': 20, 'test/e2e': 25, 'test/corpora/histories': 40 });
  expect(await check(root)).toEqual({ failed: false, said: '' });
});

test('a folder with one more file fails and is named', async () => {
  const { failed, said } = await check(project({ 'client/cli/render': 21, 'test/e2e': 26 }));
  expect(failed).toBe(true);
  expect(said.trim().split('\n')).toEqual([
    expect.stringMatching(/^client\/cli\/render has 21 files/),
    expect.stringMatching(/^test\/e2e has 26 files/),
  ]);
});

test('a folder that imports from its parent, which imports from it, is a circle', async () => {
  const root = write(project({}), {
    'activities/create.ts': "import { run } from './tools/run.ts';\n",
    'activities/tools/run.ts': "import { limits } from '../limits.ts';\n",
    'activities/limits.ts': '',
  });
  const { failed, said } = await check(root);
  expect(failed).toBe(true);
  expect(said).toContain(
    'folders import in a circle: activities imports activities/tools (activities/create.ts); ' +
      'activities/tools imports activities (activities/tools/run.ts)',
  );
});

test('folders that import in one direction pass', async () => {
  const root = write(project({}), {
    'activities/create.ts': "import { run } from './tools/run.ts';\n",
    'activities/tools/run.ts': "import type { Limits } from '../limits/limits.ts';\n",
    'activities/limits/limits.ts': '',
  });
  expect(await check(root)).toEqual({ failed: false, said: '' });
});

test('a room that is not there is no success', async () => {
  const root = project({});
  rmSync(join(root, 'workers'), { recursive: true });
  expect((await check(root)).failed).toBe(true);
});
