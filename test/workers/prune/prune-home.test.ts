// The data that `heddle prune` removes, and the data that it must never touch.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as breathe } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { sha256 } from '../../../activities/system/hash-file.ts';
import { claimsFolder } from '../../../activities/store/store-layout.ts';
import { listFiles, listFolders, removeUnused, removeUnusedObject } from '../../../activities/store/unused-files.ts';
import { noteServed, readServed, ServedNote } from '../../../workers/home/served-servers.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import { pruneHome } from '../../../workers/prune/prune-home.ts';

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;

const own = { id: 'own', address: '127.0.0.1:1', namespace: 'default', local: true };
const fleet = { id: 'fleet', address: 'fleet:7233', namespace: 'prod', local: false };

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
    const given = { server: own, lookedAt: Date.now(), openTasks: [], keep: new Set<string>(), dryRun: false };
    return pruneHome(this, { ...given, ...request });
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

test('traces of attempts go after 7 days, logs after 30 (the retry log for people after 7), half-written objects after an hour; those of open tasks stay', async () => {
  const home = new Home();
  const gone = [
    home.file('running/ended/a-1.json', 8 * day),
    home.file('logs/old.log', 31 * day),
    home.file('logs/retry-2026-01-01.log', 8 * day),
    home.file('logs/retry-2026-01-01.jsonl', 31 * day),
    home.file('store/tmp/half', 2 * hour),
  ];
  const stay = [
    home.file('running/open/a-1.json', 100 * day),
    home.file('running/recent/a-1.json', 6 * day),
    home.file('logs/service.log', 29 * day),
    home.file('logs/retry-2026-01-02.log', 6 * day),
    home.file('logs/retry-2026-01-02.jsonl', 29 * day),
  ];
  expect(await home.prune({ openTasks: ['open'] })).toEqual({
    snapshots: 0,
    objects: 0,
    attempts: 1,
    logs: 3,
    bytes: 5,
  });
  expect(gone.map((path) => existsSync(path))).toEqual(gone.map(() => false));
  expect(stay.map((path) => existsSync(path))).toEqual(stay.map(() => true));
});

test('an empty home has nothing to prune', async () => {
  expect(await new Home().prune()).toEqual({ snapshots: 0, objects: 0, attempts: 0, logs: 0, bytes: 0 });
});

test('what stored pages refer to stays too, through results to their outputs; what an output happens to name does not', async () => {
  const home = new Home();
  const output = await home.object('printed', 400 * day);
  const result = await home.object(JSON.stringify({ id: 'a', output }), 400 * day);
  const page = await home.object(`  [${JSON.stringify({ result })}]`, 400 * day);
  const named = await home.object('named in passing', 400 * day);
  const text = await home.object(`sha256sum: ${named.sha256}`, 400 * day);
  expect(await home.prune({ keep: new Set([page.sha256, text.sha256, 'f'.repeat(64)]) })).toMatchObject({ objects: 1 });
  expect([page, result, output, text, named].map((ref) => home.has(ref))).toEqual([true, true, true, true, false]);
});

test('claims of a task go as a whole after 30 days, and those of an open one never', async () => {
  const home = new Home();
  const key = (task: string) => ({ task, name: 'effect' });
  for (const task of ['ended', 'open', 'recent']) {
    await home.files.claim(key(task), 'done');
    const age = task === 'recent' ? 29 * day : 31 * day;
    setAge(join(claimsFolder(home.store, task), sha256('effect')), age);
    setAge(claimsFolder(home.store, task), age);
  }
  await home.prune({ openTasks: ['open'] });
  const left = ['ended', 'open', 'recent'].map((task) => home.files.peek(key(task)));
  expect(await Promise.all(left)).toEqual([undefined, 'done', 'done']);
});

describe('what is used while it is looked for', () => {
  test('an object that was put again since stays', async () => {
    const home = new Home();
    const ref = await home.object('old', 31 * day);
    const [item] = await listFiles(dirname(home.files.path(ref)));
    await home.files.put('old');
    mkdirSync(join(home.store, 'tmp'), { recursive: true });
    expect(await removeUnusedObject(item!, join(home.store, 'tmp'))).toBe(false);
    expect((await home.files.get(ref)).toString()).toBe('old');
  });

  test('many that put and get an object while others remove it: whoever has put it finds it', async () => {
    const home = new Home();
    const ref = await home.object('contested', 31 * day);
    const aside = join(home.store, 'tmp');
    mkdirSync(aside, { recursive: true });
    let removed = 0;
    for (let round = 0; round < 200; round += 1) {
      setAge(home.files.path(ref), 31 * day);
      const [item] = await listFiles(dirname(home.files.path(ref)));
      const remove = async (): Promise<void> => {
        if (await removeUnusedObject(item!, aside)) removed += 1;
      };
      const put = async (): Promise<void> => {
        // At another moment each time.
        for (let turn = 0; turn < round % 12; turn += 1) await breathe();
        await home.files.put('contested');
      };
      await Promise.all(round % 2 === 0 ? [put(), remove(), remove()] : [remove(), remove(), put()]);
      expect((await home.files.get(ref)).toString(), `round ${round}`).toBe('contested');
    }
    expect(readdirSync(aside)).toEqual([]);
    expect(removed).toBeGreaterThan(0);
  });

  test('a task folder in which something was written since stays', async () => {
    const home = new Home();
    const file = home.file('running/ended/a-1.json', 8 * day);
    const [item] = await listFolders(join(home.root, 'running'));
    writeFileSync(file, 'again');
    expect(await removeUnused(item!)).toBe(false);
    expect(existsSync(file)).toBe(true);
  });
});

describe('the servers that a home works for', () => {
  test('one that it never worked for is refused, by a dry run too, and nothing goes', async () => {
    const home = new Home();
    const old = await home.object('old', 31 * day);
    await noteServed(home.root, own);
    for (const dryRun of [true, false])
      await expect(home.prune({ server: fleet, dryRun })).rejects.toMatchObject({
        code: 'HOME_OF_ANOTHER_SERVER',
        message: expect.stringContaining('127.0.0.1:1') as string,
      });
    expect(home.has(old)).toBe(true);
  });

  test('a worker of a fleet prunes its home for its server', async () => {
    const home = new Home();
    const old = await home.object('old', 31 * day);
    await noteServed(home.root, { id: fleet.id });
    expect(await home.prune({ server: fleet })).toMatchObject({ objects: 1 });
    expect(home.has(old)).toBe(false);
  });

  test('what the open tasks of another one needed stays, and what was used for it since', async () => {
    const home = new Home();
    const now = Date.now();
    await noteServed(home.root, fleet);
    const needed = await home.object('needed', 400 * day);
    const file = home.file('running/theirs/a-1.json', 400 * day);
    await home.prune({
      server: fleet,
      lookedAt: now - 50 * day,
      keep: new Set([needed.sha256]),
      openTasks: ['theirs'],
    });

    const since = await home.object('since', 40 * day);
    const earlier = await home.object('earlier', 60 * day);
    expect(await home.prune()).toMatchObject({ objects: 1, attempts: 0 });
    expect([needed, since, earlier].map((ref) => home.has(ref))).toEqual([true, true, false]);
    expect(existsSync(file)).toBe(true);

    // Asked again, it says that it needs nothing any more.
    expect(await home.prune({ server: fleet })).toMatchObject({ objects: 2, attempts: 1 });
  });

  test('everything of one that was never asked stays', async () => {
    const home = new Home();
    await noteServed(home.root, fleet);
    const [path] = readdirSync(join(home.root, 'servers'));
    const record = JSON.parse(readFileSync(join(home.root, 'servers', path!), 'utf8')) as object;
    writeFileSync(join(home.root, 'servers', path!), JSON.stringify({ ...record, from: Date.now() - 100 * day }));
    const [theirs, earlier] = [await home.object('theirs', 90 * day), await home.object('earlier', 101 * day)];
    expect(await home.prune()).toMatchObject({ objects: 1 });
    expect([home.has(theirs), home.has(earlier)]).toEqual([true, false]);
  });

  test('an earlier database of the local service is gone, and its tasks with it', async () => {
    const home = new Home();
    const needed = await home.object('needed', 400 * day);
    await home.prune({ server: { ...own, id: 'before' }, keep: new Set([needed.sha256]) });
    expect(home.has(needed)).toBe(true);
    expect(await home.prune()).toMatchObject({ objects: 1 });
  });

  test('a record that cannot be read is an error, and nothing goes', async () => {
    const home = new Home();
    const old = await home.object('old', 31 * day);
    home.file('servers/x.json', 0);
    await expect(home.prune()).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    expect(home.has(old)).toBe(true);
  });

  test('activities note whom they work for, before and after', async () => {
    const home = new Home();
    let asked = 0;
    const note = new ServedNote(home.root, () => {
      asked += 1;
      return Promise.resolve({ id: 'fleet', namespace: 'prod' });
    });
    const seen = note.around(async (input: string) => [input, await readServed(home.root)]);
    const before = Date.now();
    const [input, records] = await seen('in');
    expect(input).toBe('in');
    expect(records).toMatchObject([{ id: 'fleet', namespace: 'prod', looked: null }]);
    await seen('again');
    expect(asked).toBe(1);
    expect((await readServed(home.root))[0]?.until).toBeGreaterThanOrEqual(before);
    await expect(note.around(() => Promise.reject(new Error('its own')))('x')).rejects.toThrow('its own');
  });
});

test('a page of archived events is read from the store by its reference', async () => {
  const home = new Home();
  const page = [{ id: 1, time: 't', type: 'task.started', text: 'Started' }];
  const ref = await home.files.put(JSON.stringify(page));
  const ports = createPorts({ ...process.env, HEDDLE_HOME: home.root });
  expect(await ports.readStored(ref)).toEqual(page);
  expect(await ports.readStored({ ...ref, sha256: '0'.repeat(64) })).toBeUndefined();
  expect(await ports.readOutput('0'.repeat(64))).toBeUndefined();
  const output = await ports.readOutput(ref.sha256);
  rmSync(home.files.path(ref), { force: true });
  expect(output && (await text(output))).toBe(JSON.stringify(page));
});

test('what is damaged in the store is said to be, not told as missing', async () => {
  const home = new Home();
  const ref = await home.files.put('[1, 2, 3]');
  const path = home.files.path(ref);
  chmodSync(path, 0o644);
  writeFileSync(path, '[1, 2, 4]');
  const ports = createPorts({ ...process.env, HEDDLE_HOME: home.root });
  await expect(ports.readStored(ref)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  await expect(ports.readOutput(ref.sha256)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

test('what the conversation of an open task names stays, and what that names in turn', async () => {
  const home = new Home();
  const [inner, other, claimed] = [
    await home.object('inner', 40 * day),
    await home.object('of an ended task', 40 * day),
    await home.object('claimed', 40 * day),
  ];
  const whole = await home.object(JSON.stringify({ inner }), 40 * day);
  const log = (task: string, ref: object): void =>
    writeFileSync(home.file(`running/${task}/a-1.abc.jsonl`, day), `${JSON.stringify({ k: 'result', whole: ref })}\n`);
  log('open', whole);
  log('ended', other);
  const claims = claimsFolder(home.store, 'open');
  mkdirSync(claims, { recursive: true });
  writeFileSync(join(claims, 'claim'), JSON.stringify(claimed));
  await home.prune({ openTasks: ['open'] });
  expect([whole, inner, claimed, other].map((ref) => home.has(ref))).toEqual([true, true, true, false]);
});

test('a large artifact of an open task stays with the results of its conversation, and what made room for others goes', async () => {
  const home = new Home();
  const large = await home.object('x'.repeat(50_000_000), 90 * day);
  const [result, removed] = [await home.object('whole result', 90 * day), await home.object('removed', 90 * day)];
  const about = {
    kind: 'page',
    type: '',
    name: '',
    source: { url: 'http://a.example/' },
    subtask: 'a',
    attempt: 1,
    at: '',
  };
  const lines = [
    { id: 'af_1', ref: large, bytes: large.bytes, ...about },
    { id: 'af_2', ref: removed, bytes: removed.bytes, ...about },
    { gone: 'af_2' },
  ];
  const manifest = lines.map((line) => `\n${JSON.stringify(line)}\n`).join('');
  writeFileSync(home.file('running/t1/artifacts.jsonl', 90 * day), manifest);
  writeFileSync(home.file('running/t1/a-1.abc.jsonl', 90 * day), `${JSON.stringify({ k: 'result', whole: result })}\n`);
  await home.prune({ openTasks: ['t1'] });
  expect([large, result, removed].map((ref) => home.has(ref))).toEqual([true, true, false]);
  await home.prune();
  expect([large, result].map((ref) => home.has(ref))).toEqual([false, false]);
});
