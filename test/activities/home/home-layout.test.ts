// The names below Heddle's home: what other processes, backups and older versions look for.
import fc from 'fast-check';
import { basename, dirname, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import * as layout from '../../../activities/home/home-layout.ts';
import { objectFile, storeFolders } from '../../../activities/store/store-layout.ts';

const root = '/h';
const hash = 'ab'.padEnd(64, '0');

test('a home in one folder', () => {
  expect(layout.homeFolders(layout.rootsIn(root))).toEqual({
    data: '/h/data',
    store: '/h/store',
    cache: '/h/cache',
    run: '/h/run',
    logs: '/h/logs',
  });
  expect(layout.rootOfStore(layout.homeFolders(layout.rootsIn(root)).store)).toBe(root);
});

test('every name is where the versions before had it', () => {
  expect(layout.leasesFile(root)).toBe('/h/leases.db');
  expect(layout.workspaceFolder(root, '/w')).toMatch(/^\/h\/workspaces\/[0-9a-f]{16}$/);
  expect(layout.workspaceFiles('/f')).toEqual({
    commands: '/f/commands',
    git: '/f/git',
    journal: '/f/journal.db',
    lock: '/f/lock',
  });
  expect(layout.taskFolder(root, 't1')).toBe('/h/running/t1');
  expect(layout.worktreeFolder(root, { taskId: 't1', subtaskId: 'a' })).toMatch(
    /^\/h\/running\/t1\/worktree-[0-9a-f]{16}$/,
  );
  const { objects, claims, temporary } = storeFolders;
  expect([objects('/s'), claims('/s'), temporary('/s')]).toEqual(['/s/objects', '/s/claims', '/s/tmp']);
  expect(objectFile('/s', hash)).toBe(`/s/objects/ab/${'0'.repeat(62)}`);
  expect(layout.serviceFiles('/r')).toEqual({
    lock: '/r/service.lock',
    info: '/r/service.json',
    lastUsed: '/r/last-used',
    server: '/r/server.json',
  });
  expect(layout.apiFiles('/r')).toEqual({
    key: '/r/console-key',
    record: '/r/api.json',
    used: '/r/tokens-used.json',
    lock: '/r/tokens.lock',
  });
  expect(layout.tokensFile('/h')).toBe('/h/tokens.toml');
  expect([layout.serverDatabase('/d'), layout.serverLog('/l')]).toEqual(['/d/temporal.db', '/l/temporal.log']);
  expect(layout.startLogs('/l', 7)).toEqual({ out: '/l/start-7.out', err: '/l/start-7.err' });
  expect(layout.serverBinary('/c', '1.2.3')).toBe('/c/temporal/1.2.3/temporal');
  expect(layout.bundleFile('/c', 'f00')).toBe('/c/workflows-f00.js');
});

test('a reference that is no hash leads nowhere', () => {
  for (const bad of ['', '../x', hash.toUpperCase(), `${hash}0`]) {
    expect(() => objectFile('/s', bad)).toThrow(expect.objectContaining({ code: 'STORE_BAD_REFERENCE' }));
  }
});

test('no id leads out of the folder of running tasks, and no two attempts share a name, on any disk', () => {
  const id = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('..', '.', '../x', 'A', 'a', '-'));
  const attempt = fc.record({
    taskId: id,
    subtaskId: id,
    attempt: fc.integer({ min: 1, max: 20 }),
    chain: fc.constantFrom('c1', 'c2'),
    startedAt: fc.constant('t'),
  });
  fc.assert(
    fc.property(attempt, attempt, (one, other) => {
      const paths = layout.attemptPaths(root, one, 'default');
      expect(relative(layout.runningFolder(root), paths.record).split(sep)).toHaveLength(2);
      expect(dirname(paths.record)).toBe(paths.folder);
      expect(Buffer.byteLength(basename(paths.record))).toBeLessThan(256);
      const shouted = { ...one, taskId: one.taskId.toUpperCase(), subtaskId: one.subtaskId.toUpperCase() };
      for (const another of [other, shouted]) {
        const isSame = JSON.stringify(one) === JSON.stringify(another);
        const { record } = layout.attemptPaths(root, another, 'default');
        expect(paths.record.toLowerCase() === record.toLowerCase()).toBe(isSame);
      }
    }),
  );
});
