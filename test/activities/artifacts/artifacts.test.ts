// The things that a task keeps from outside: names, the manifest of several writers, room, and the task that takes over.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { Artifacts } from '../../../activities/artifacts/artifacts.ts';
import { inheritArtifacts, loadManifest } from '../../../activities/artifacts/manifest-file.ts';
import { artifactsFile } from '../../../activities/home/home-layout.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { artifactId, findSurplus, type Artifact } from '../../../domain/artifacts/artifact.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');

function openHome() {
  const root = mkdtempSync(join(tmpdir(), 'heddle-artifacts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = new FileStore(join(root, 'store'));
  const clock = { now: start };
  const of = (task = 't1', subtask = 'a'): Artifacts =>
    new Artifacts({ manifest: artifactsFile(root, task), store, subtask, attempt: 1, now: () => clock.now });
  return { root, store, clock, of };
}

const pageAt = (url: string, content: string) => ({
  ...{ content, kind: 'page', type: 'text/plain', name: 'x', source: { url, status: 200 } },
});

describe('an artifact', () => {
  test('is named by its hash, and read by every subtask and worker of the home', async () => {
    const home = openHome();
    const kept = await home.of().keep(pageAt('http://a.example/', 'hello'));
    expect(kept.id).toBe('af_2cf24dba5fb0');
    const seen = await home.of('t1', 'b').find(kept.id);
    expect(seen).toEqual(kept);
    expect((await home.of('t1', 'b').bytes(kept)).toString()).toBe('hello');
    expect(await home.of('t2').find(kept.id)).toBeUndefined();
  });

  test('has a longer name where another one begins in the same way', async () => {
    const kept = (await openHome().of().keep(pageAt('http://a.example/', 'hello'))) satisfies Artifact;
    const other = `${kept.ref.sha256.slice(0, 13)}${'0'.repeat(51)}`;
    const list = { kept: [kept], removed: new Map() };
    expect(artifactId(kept.ref.sha256, list)).toBe(kept.id);
    expect(artifactId(other, list)).toBe(`af_${other.slice(0, 13)}`);
    expect(artifactId('f'.repeat(64), list)).toBe('af_ffffffffffff');
  });

  test('answers for its address for 15 minutes, also for the address that was asked for', async () => {
    const home = openHome();
    const kept = await home.of().keep({
      ...pageAt('http://b.example/', 'hello'),
      source: { url: 'http://b.example/', asked: 'http://a.example/' },
    });
    expect(await home.of('t1', 'b').findFresh('http://a.example/')).toEqual(kept);
    expect(await home.of().findFresh('http://b.example/')).toBeUndefined();
    home.clock.now += 15 * 60_000;
    expect(await home.of().findFresh('http://a.example/')).toBeUndefined();
  });

  test('survives a line that a crash cut off, and another writer', async () => {
    const home = openHome();
    const first = await home.of().keep(pageAt('http://a.example/1', 'one'));
    appendFileSync(artifactsFile(home.root, 't1'), '{"id":"af_cut","ref":{"sha');
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        home.of('t1', `s${at}`).keep(pageAt(`http://a.example/${at}`, `text ${at}`)),
      ),
    );
    const { kept } = await loadManifest(artifactsFile(home.root, 't1'));
    expect(kept.length).toBe(21);
    expect(await home.of().find(first.id)).toEqual(first);
  });

  test('makes room for newer ones, and says where it came from', async () => {
    const home = openHome();
    const [first] = await Promise.all([home.of().keep(pageAt('http://a.example/0', 'text 0'))]);
    for (let at = 1; at <= 200; at += 1) await home.of().keep(pageAt(`http://a.example/${at}`, `text ${at}`));
    const list = await home.of().list();
    expect(list.kept.length).toBe(200);
    expect(await home.of().find(first.id)).toEqual({ gone: first.id, url: 'http://a.example/0' });
    const again = await home.of().keep(pageAt('http://a.example/0', 'text 0'));
    expect(await home.of().find(again.id)).toMatchObject({ id: first.id, bytes: 6 });
  });

  test('makes room by bytes, the oldest first, and the newest stays whatever its size', () => {
    const sized = (id: string, bytes: number, text?: number): Artifact => ({
      ...{ id, ref: { sha256: 'a'.repeat(64), bytes }, kind: 'page', type: '', name: '', bytes, source: { url: 'x' } },
      ...{ subtask: 'a', attempt: 1, at: '' },
      ...(text === undefined ? {} : { text: { sha256: 'b'.repeat(64), bytes: text } }),
    });
    const kept = [sized('1', 40, 10), sized('2', 40), sized('3', 30), sized('4', 90)];
    const removed = new Map<string, never>();
    expect(findSurplus({ kept, removed }, { count: 9, bytes: 120 }).map(({ id }) => id)).toEqual(['1', '2']);
    expect(findSurplus({ kept, removed }, { count: 9, bytes: 10 }).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(findSurplus({ kept, removed }, { count: 3, bytes: 999 }).map(({ id }) => id)).toEqual(['1']);
  });
});

test('a task that takes over has the artifacts of the earlier one, once', async () => {
  const home = openHome();
  const kept = await home.of('t1').keep(pageAt('http://a.example/', 'hello'));
  await inheritArtifacts(home.root, { from: 't1', to: 't1-r2' });
  await inheritArtifacts(home.root, { from: 't1', to: 't1-r2' });
  expect(await home.of('t1-r2').find(kept.id)).toEqual(kept);
  const text = readFileSync(artifactsFile(home.root, 't1-r2'), 'utf8');
  expect(text.split('\n').filter((line) => line !== '').length).toBe(1);
  await inheritArtifacts(home.root, { from: 'none', to: 't9' });
  expect((await loadManifest(artifactsFile(home.root, 't9'))).kept).toEqual([]);
});

test('lines of a manifest that are no artifacts are no artifacts', async () => {
  const home = openHome();
  const path = artifactsFile(home.root, 't1');
  const kept = await home.of().keep(pageAt('http://a.example/', 'hello'));
  writeFileSync(
    path,
    `null\n[]\n{"id":1}\n\u0000\n${JSON.stringify(kept)}\n{"gone":"af_other"}\n${'x'.repeat(100_000)}\n`,
  );
  expect((await loadManifest(path)).kept).toEqual([kept]);
});
