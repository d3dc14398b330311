// The store on files: what every store does, and its files, between real processes, through failures and kills.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';

import { FileStore } from '../../../activities/store/file-store.ts';
import { claimsFolder } from '../../../activities/store/store-layout.ts';
import type { ClaimKey } from '../../../activities/store/store.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { itIsAStore } from './conformance.ts';

const key = (name: string): ClaimKey => ({ task: 't', name });

itIsAStore('files', async () => {
  const root = join(await temporaryFolder(), 'store');
  return { open: () => new FileStore(root) };
});

const storeModule = new URL('../../../activities/store/file-store.ts', import.meta.url).href;
const inSource = (script: string): string[] => [
  '--input-type=module',
  '-e',
  `import { FileStore } from '${storeModule}';${script}`,
];

async function makeStore(): Promise<FileStore> {
  return new FileStore(join(await temporaryFolder(), 'store'));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('objects', () => {
  test('the same bytes are one object, named by their hash, that nobody may write', async () => {
    const store = await makeStore();
    const ref = await store.put('grüße');
    expect(await store.put(new TextEncoder().encode('grüße'))).toEqual(ref);
    expect(ref).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes: 7 });
    expect((await store.get(ref)).toString()).toBe('grüße');
    expect(await filesIn(store.root)).toEqual([store.path(ref)]);
    expect((await stat(store.path(ref))).mode & 0o777).toBe(0o444);
    expect((await stat(store.root)).mode & 0o777).toBe(0o700);
  });

  test('a missing object and a damaged one are told apart', async () => {
    const store = await makeStore();
    const ref = await store.put('content');
    await expect(store.get({ ...ref, sha256: 'ab'.repeat(32) })).rejects.toMatchObject({ code: 'STORE_MISSING' });
    await expect(store.tail({ ...ref, sha256: 'ab'.repeat(32) }, 3)).rejects.toMatchObject({ code: 'STORE_MISSING' });
    await chmod(store.path(ref), 0o644);
    await writeFile(store.path(ref), 'c0ntent');
    await expect(store.get(ref)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await writeFile(store.path(ref), 'cont');
    await expect(store.get(ref)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await expect(store.head(ref, 2)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  });

  test('putting the bytes again mends an object that was cut short', async () => {
    const store = await makeStore();
    const ref = await store.put('content');
    await chmod(store.path(ref), 0o644);
    await writeFile(store.path(ref), 'cont');
    await store.put('content');
    expect((await store.get(ref)).toString()).toBe('content');
  });

  test('a finished file moves in, and one whose content is known already just goes', async () => {
    const store = await makeStore();
    const folder = await temporaryFolder();
    const refs: Ref[] = [];
    for (const name of ['one', 'two']) {
      await writeFile(join(folder, name), 'printed');
      refs.push(await store.putFile(join(folder, name)));
    }
    expect(refs[0]).toEqual(refs[1]);
    expect(await readdir(folder)).toEqual([]);
    expect((await store.get(refs[0]!)).toString()).toBe('printed');
    expect((await stat(store.path(refs[0]!))).mode & 0o777).toBe(0o444);
  });

  test.skipIf(!existsSync('/dev/shm'))('a finished file on another disk moves in too', async () => {
    const store = await makeStore();
    const elsewhere = await mkdtemp('/dev/shm/heddle-test-');
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    await writeFile(join(elsewhere, 'out'), 'from afar');
    const ref = await store.putFile(join(elsewhere, 'out'));
    expect((await store.get(ref)).toString()).toBe('from afar');
    expect((await stat(store.path(ref))).mode & 0o777).toBe(0o444);
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await filesIn(store.root)).toEqual([store.path(ref)]);
  });
});

describe('the time of the last use', () => {
  const ageOf = async (path: string): Promise<number> => Date.now() - (await stat(path)).mtimeMs;
  const month = 30 * 24 * 60 * 60_000;

  test.each([
    ['put again', (store: FileStore) => store.put('content')],
    ['read', (store: FileStore, ref: Ref) => store.get(ref)],
    ['read in part', (store: FileStore, ref: Ref) => store.tail(ref, 1)],
    ['looked for', (store: FileStore, ref: Ref) => store.head(ref, 0)],
    ['given to a program', (store: FileStore, ref: Ref) => store.file(ref)],
  ])('an old object that is %s counts as used now', async (_, use) => {
    const store = await makeStore();
    const ref = await store.put('content');
    const then = new Date(Date.now() - month);
    await utimes(store.path(ref), then, then);
    await use(store, ref);
    expect(await ageOf(store.path(ref))).toBeLessThan(60_000);
  });
});

describe('failures', () => {
  test('a write that the system refuses reaches the caller as it is, and leaves nothing', async () => {
    const store = await makeStore();
    const script = `const store = new FileStore(process.argv[1]);
      const problem = await store.put(Buffer.alloc(1_000_000, 'x')).catch((error) => error);
      const small = await store.put('small');
      console.log(problem.code, problem.syscall, small.bytes);`;
    const limited = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, ...inSource(script), store.root];
    expect(await printed('sh', limited)).toBe('EFBIG write 5\n');
    expect(await filesIn(store.root)).toHaveLength(1);
  });

  test('a store that cannot be made says why', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'store'), 'a file where the folder should be');
    await expect(new FileStore(join(folder, 'store')).put('x')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(new FileStore(join(folder, 'store')).claim(key('k'), 'v')).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test('a kill amid a stream of writes leaves only whole objects', async () => {
    const store = await makeStore();
    const script = `const store = new FileStore(process.argv[1]);
      for (let i = 0; ; i += 1) await store.put(Buffer.alloc(300_000, String(i)));`;
    const child = spawn(process.execPath, [...inSource(script), store.root], { stdio: 'ignore' });
    while ((await filesIn(join(store.root, 'objects'))).length < 3) await sleep(20);
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const path of await filesIn(join(store.root, 'objects'))) {
      const parts = path.split('/');
      const sha256 = parts.slice(-2).join('');
      expect((await store.get({ sha256, bytes: 300_000 })).length).toBe(300_000);
    }
  });
});

describe('claims', () => {
  test('stand in a folder of their task, inside the store, and nothing is left beside them', async () => {
    const store = await makeStore();
    for (const name of ['../../x', 'a/b', 'k'.repeat(5_000)]) await store.claim(key(name), 'v');
    await store.claim({ task: '../other', name: 'x' }, 'v');
    const folders = await readdir(join(store.root, 'claims'));
    expect(folders).toHaveLength(2);
    expect(await readdir(claimsFolder(store.root, 't'))).toHaveLength(3);
    expect(await readdir(join(store.root, 'tmp'))).toEqual([]);
    expect(await filesIn(store.root)).toHaveLength(4);
  });

  test("a claim that cannot be read is an error, never somebody's", async () => {
    const store = await makeStore();
    await store.claim(key('k'), 'v');
    const [path] = await filesIn(store.root);
    await chmod(path!, 0o644);
    await writeFile(path!, '{"val');
    await expect(store.claim(key('k'), 'w')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await expect(store.peek(key('k'))).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  });

  test('of several processes that claim at the same time, exactly one wins each key', async () => {
    const store = await makeStore();
    const start = Date.now() + 1_500;
    const script = `const [root, name, start] = process.argv.slice(1);
      const store = new FileStore(root);
      await new Promise((go) => setTimeout(go, Number(start) - Date.now()));
      const claims = [];
      for (let key = 0; key < 40; key += 1) claims.push(await store.claim({ task: 't', name: 'key-' + key }, name));
      console.log(JSON.stringify(claims));`;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const outputs = await Promise.all(
      names.map((name) => printed(process.execPath, [...inSource(script), store.root, name, String(start)])),
    );
    const claims = outputs.map((output) => JSON.parse(output) as { mine: boolean; value: string }[]);
    for (let key = 0; key < 40; key += 1) {
      const winners = names.filter((_, at) => claims[at]![key]!.mine);
      expect(winners).toHaveLength(1);
      expect(claims.map((of) => of[key]!.value)).toEqual(names.map(() => winners[0]));
    }
  });
});

async function printed(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text;
}
