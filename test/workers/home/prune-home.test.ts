// What `heddle prune` takes away and what it must never touch.
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { createPorts } from '../../../workers/ports.ts';
import { pruneHome } from '../../../workers/home/prune-home.ts';

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;

class Home {
  readonly root: string;
  readonly store: string;
  readonly logs: string;
  readonly files: FileStore;

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'heddle-prune-'));
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    this.store = join(this.root, 'store');
    this.logs = join(this.root, 'logs');
    this.files = new FileStore(this.store);
  }

  async object(text: string, age: number): Promise<{ sha256: string; bytes: number }> {
    const ref = await this.files.put(text);
    setAge(this.files.path(ref), age);
    return ref;
  }

  file(path: string, age: number): string {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, 'x');
    setAge(whole, age);
    setAge(dirname(whole), age);
    return whole;
  }

  prune(request: Partial<Parameters<typeof pruneHome>[1]> = {}) {
    return pruneHome(this, { openTasks: [], keep: new Set(), dryRun: false, ...request });
  }

  has(ref: { sha256: string; bytes: number }): boolean {
    return existsSync(this.files.path(ref));
  }
}

function setAge(path: string, age: number): void {
  const then = new Date(Date.now() - age);
  utimesSync(path, then, then);
}

test('an object goes after 30 days without use, and one that an open task refers to never', async () => {
  const home = new Home();
  const [old, young, kept] = [
    await home.object('old', 31 * day),
    await home.object('young', 29 * day),
    await home.object('kept', 400 * day),
  ];
  const request = { keep: new Set([kept.sha256]) };
  expect(await home.prune({ ...request, dryRun: true })).toMatchObject({ objects: 1, bytes: 3 });
  expect(home.has(old)).toBe(true);
  expect(await home.prune(request)).toEqual({ snapshots: 0, objects: 1, attempts: 0, logs: 0, bytes: 3 });
  expect([old, young, kept].map((ref) => home.has(ref))).toEqual([false, true, true]);
});

test('a store that is too large loses its oldest objects first, but none of the last hour and none that is needed', async () => {
  const home = new Home();
  const kept = await home.object('k'.repeat(100), 20 * day);
  const refs = [
    await home.object('a'.repeat(100), 10 * day),
    await home.object('b'.repeat(100), 5 * day),
    await home.object('c'.repeat(100), 2 * hour),
    await home.object('d'.repeat(100), hour / 2),
  ];
  await home.prune({ keep: new Set([kept.sha256]), maxBytes: 350 });
  expect(refs.map((ref) => home.has(ref))).toEqual([false, false, true, true]);
  await home.prune({ keep: new Set([kept.sha256]), maxBytes: 0 });
  expect(refs.map((ref) => home.has(ref))).toEqual([false, false, false, true]);
  expect(home.has(kept)).toBe(true);
});

test('however short the age that is asked for, nothing of the last hour goes', async () => {
  const home = new Home();
  const fresh = await home.object('fresh', 50 * 60_000);
  const file = home.file('running/ended/a-1.json', 50 * 60_000);
  expect(await home.prune({ olderThan: 0 })).toMatchObject({ objects: 0, attempts: 0 });
  expect([home.has(fresh), existsSync(file)]).toEqual([true, true]);
});

test('traces of attempts go after 7 days, logs after 30, half-written objects after an hour; those of open tasks stay', async () => {
  const home = new Home();
  const gone = [
    home.file('running/ended/a-1.json', 8 * day),
    home.file('logs/old.log', 31 * day),
    home.file('store/tmp/half', 2 * hour),
  ];
  const stay = [
    home.file('running/open/a-1.json', 100 * day),
    home.file('running/recent/a-1.json', 6 * day),
    home.file('logs/service.log', 29 * day),
  ];
  expect(await home.prune({ openTasks: ['open'] })).toEqual({
    snapshots: 0,
    objects: 0,
    attempts: 1,
    logs: 1,
    bytes: 3,
  });
  expect(gone.map((path) => existsSync(path))).toEqual([false, false, false]);
  expect(stay.map((path) => existsSync(path))).toEqual([true, true, true]);
});

test('an empty home has nothing to prune', async () => {
  expect(await new Home().prune()).toEqual({ snapshots: 0, objects: 0, attempts: 0, logs: 0, bytes: 0 });
});

test('a page of archived events is read from the store by its reference', async () => {
  const home = new Home();
  const page = [{ id: 1, time: 't', type: 'task.started', text: 'Started' }];
  const ref = await home.files.put(JSON.stringify(page));
  const ports = createPorts({ ...process.env, HEDDLE_HOME: home.root });
  expect(await ports.readStored(ref)).toEqual(page);
  expect(await ports.readStored({ ...ref, sha256: '0'.repeat(64) })).toBeUndefined();
});
