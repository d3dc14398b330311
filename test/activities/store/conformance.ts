import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { ClaimKey, Store } from '../../../activities/store/store.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { temporaryFolder } from '../execute/program/support.ts';

/** A backend under test: each call of `open` reaches the same data, as another process would. */
export interface Backend {
  open(): Store;
}

const claimOf = (name: string, task = 't'): ClaimKey => ({ task, name });
const unknown = (ref: Ref): Ref => ({ ...ref, sha256: 'ab'.repeat(32) });

const reads: ((store: Store, ref: Ref) => Promise<unknown>)[] = [
  (store, ref) => store.get(ref),
  (store, ref) => store.head(ref, 3),
  (store, ref) => store.tail(ref, 3),
  (store, ref) => store.file(ref),
];

/** The obligations of every store. A new backend calls this with its own. */
export function itIsAStore(name: string, make: () => Promise<Backend>): void {
  const makeStore = async (): Promise<Store> => (await make()).open();

  describe(`${name}: objects`, () => {
    test('the same bytes are one object, named by their hash', async () => {
      const store = await makeStore();
      const ref = await store.put('grüße');
      expect(await store.put(new TextEncoder().encode('grüße'))).toEqual(ref);
      expect(ref).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes: 7 });
      expect((await store.get(ref)).toString()).toBe('grüße');
    });

    test('what one has put, another one gets', async () => {
      const backend = await make();
      const ref = await backend.open().put('shared');
      expect((await backend.open().get(ref)).toString()).toBe('shared');
    });

    test('no bytes at all are an object too', async () => {
      const store = await makeStore();
      const ref = await store.put('');
      expect(ref.bytes).toBe(0);
      const pieces = [await store.get(ref), await store.head(ref, 10), await store.tail(ref, 10)];
      expect(pieces.map((piece) => piece.length)).toEqual([0, 0, 0]);
    });

    test('bytes come back as they were', async () => {
      const store = await makeStore();
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
      const ref = await store.put(bytes);
      expect(bytes.equals(await store.get(ref))).toBe(true);
    });

    test('many writers of the same bytes at once do not disturb each other', async () => {
      const store = await makeStore();
      const refs = await Promise.all(Array.from({ length: 20 }, () => store.put('same')));
      expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(1);
      expect((await store.get(refs[0] ?? unknown({ sha256: '', bytes: 0 }))).toString()).toBe('same');
    });

    test('an object that is not there is an error, whichever way it is read', async () => {
      const store = await makeStore();
      const ref = unknown(await store.put('content'));
      for (const read of [...reads, (some: Store, of: Ref) => some.head(of, 0)])
        await expect(read(store, ref)).rejects.toMatchObject({ code: 'STORE_MISSING' });
    });

    test('a reference whose size is wrong is an error, whichever way it is read', async () => {
      const store = await makeStore();
      const ref = { ...(await store.put('content')), bytes: 6 };
      for (const read of reads) await expect(read(store, ref)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    });

    test('a reference that is no hash leads nowhere', async () => {
      const store = await makeStore();
      for (const sha256 of ['../../secret', '', 'A'.repeat(64), `${'a'.repeat(64)}/..`]) {
        await expect(store.get({ sha256, bytes: 1 })).rejects.toMatchObject({ code: 'STORE_BAD_REFERENCE' });
        await expect(store.file({ sha256, bytes: 1 })).rejects.toMatchObject({ code: 'STORE_BAD_REFERENCE' });
      }
    });

    test('head and tail read only the piece that is asked for', async () => {
      const store = await makeStore();
      const ref = await store.put('0123456789');
      expect((await store.head(ref, 3)).toString()).toBe('012');
      expect((await store.head(ref, 100)).toString()).toBe('0123456789');
      expect((await store.tail(ref, 3)).toString()).toBe('789');
      expect((await store.tail(ref, 100)).toString()).toBe('0123456789');
    });

    test('a finished file moves in, and one whose content is known already just goes', async () => {
      const store = await makeStore();
      const folder = await temporaryFolder();
      const refs: Ref[] = [await store.put('printed')];
      for (const file of ['one', 'two']) {
        await writeFile(join(folder, file), file === 'one' ? 'printed' : 'printed too');
        refs.push(await store.putFile(join(folder, file)));
      }
      expect(refs[1]).toEqual(refs[0]);
      expect(await readdir(folder)).toEqual([]);
      expect(await Promise.all(refs.slice(1).map(async (ref) => (await store.get(ref)).toString()))).toEqual([
        'printed',
        'printed too',
      ]);
    });

    test('a program reads an object as a file', async () => {
      const store = await makeStore();
      expect(await readFile(await store.file(await store.put('for a program')), 'utf8')).toBe('for a program');
    });
  });

  describe(`${name}: claims`, () => {
    test('the first claim stands for ever and everybody reads it back', async () => {
      const backend = await make();
      const store = backend.open();
      expect(await store.claim(claimOf('effect/1'), 'a')).toEqual({ mine: true, value: 'a' });
      expect(await store.claim(claimOf('effect/1'), 'b')).toEqual({ mine: false, value: 'a' });
      expect(await backend.open().claim(claimOf('effect/1'), 'a')).toEqual({ mine: false, value: 'a' });
    });

    test('a look takes nothing', async () => {
      const backend = await make();
      expect(await backend.open().peek(claimOf('effect/1'))).toBeUndefined();
      expect((await backend.open().claim(claimOf('effect/1'), '')).mine).toBe(true);
      expect(await backend.open().peek(claimOf('effect/1'))).toBe('');
    });

    test('the same name of two tasks is two claims', async () => {
      const store = await makeStore();
      expect(await store.claim(claimOf('x', 'one'), '1')).toEqual({ mine: true, value: '1' });
      expect(await store.peek(claimOf('x', 'two'))).toBeUndefined();
      expect(await store.claim(claimOf('x', 'two'), '2')).toEqual({ mine: true, value: '2' });
      expect(await store.peek(claimOf('x', 'one'))).toBe('1');
    });

    test('names of any kind are kept apart', async () => {
      const store = await makeStore();
      const names = ['../../x', 'a/b', 'a\\b', '', 'ключ', 'k'.repeat(5_000), 'A', 'a', 'nul\0'];
      for (const key of names) expect((await store.claim(claimOf(key), `of ${key}`)).mine).toBe(true);
      for (const key of names) expect(await store.peek(claimOf(key))).toBe(`of ${key}`);
      for (const task of names) expect((await store.claim(claimOf('x', task), task)).mine).toBe(true);
    });

    test('of many that claim at once, exactly one wins', async () => {
      const backend = await make();
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, index) => backend.open().claim(claimOf('one'), String(index))),
      );
      expect(claims.filter(({ mine }) => mine)).toHaveLength(1);
      expect(new Set(claims.map(({ value }) => value)).size).toBe(1);
    });
  });
}
