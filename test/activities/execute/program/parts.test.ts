// The small parts of an execution, each by itself: tails, names, environment, waits, stamps.
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { baseEnvironment } from '../../../../activities/programs/base-environment.ts';
import { explainStart } from '../../../../activities/programs/explain-start.ts';
import { parseRetryAfter } from '../../../../activities/temporal/retry-after.ts';
import { attemptPaths } from '../../../../activities/home/home-layout.ts';
import { stampDeliverables } from '../../../../activities/files/stamp-deliverables.ts';
import { TailBuffer, takeTail } from '../../../../activities/programs/tail-buffer.ts';
import { sha256 } from '../../../../activities/system/hash-file.ts';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import { temporaryFolder } from './support.ts';
import type { Variables } from '../../../../activities/redact/secrets.ts';

describe('a tail', () => {
  test('is the end of everything that came, however it came in pieces', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.map((byte) => byte & 0x7f)));
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 50 }),
        (chunks, capacity, asked) => {
          const tail = new TailBuffer(capacity);
          for (const chunk of chunks) tail.push(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          const length = Math.min(asked, capacity);
          expect(tail.total).toBe(all.length);
          expect(tail.text(asked)).toBe(length === 0 ? '' : all.subarray(-length).toString());
        },
      ),
    );
  });

  test('leaves out the character that the cut goes through, and only that', () => {
    expect(takeTail('äöü', 6)).toBe('äöü');
    expect(takeTail('äöü', 5)).toBe('öü');
    expect(takeTail('a😀', 3)).toBe('');
    expect(takeTail('', 5)).toBe('');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  test.each([
    ['seconds', 'HTTP 429\nRetry-After: 7\n', 7_000],
    ['any case, and as curl prints it', '< retry-after: 3\r\nbye', 3_000],
    ['with its unit', 'Retry-After: 2.5s', 2_500],
    ['the last one', 'Retry-After: 1\nRetry-After: 9', 9_000],
    ['an HTTP date', 'Retry-After: Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['more than we wait', 'Retry-After: 999999', activityLimits.maxRetryAfter],
    ['a date in the past', 'Retry-After: Thu, 01 Jan 2025 00:00:30 GMT', undefined],
    ['no time at all', 'Retry-After: 0', undefined],
    ['words', 'Retry-After: a while', undefined],
    ['a negative number', 'Retry-After: -5', undefined],
    ['in the middle of a sentence', 'please set retry-after: 5 in the config', undefined],
    ['none', 'try later', undefined],
    ['beside a status', 'HTTP 429 Too Many Requests (Retry-After: 2)', 2_000],
    ['in printed headers', "{ 'content-type': 'text/plain', 'retry-after': '4' }", 4_000],
    ['in milliseconds', 'retry-after-ms: 1500', 1_500],
    ['in JSON', '{"error":"slow down","retry_after": 2}', 2_000],
    ['in JSON, with a fraction', '{"message":"You are being rate limited.","retry_after":0.25,"global":false}', 250],
    ['as Google says it', '"retryDelay": "34.5s"', 34_500],
    ['in a sentence', 'Rate limit reached. Please try again in 2.2s. Visit our site.', 2_200],
    ['in a longer sentence', 'Please retry after 20 seconds.', 20_000],
    ['in minutes and seconds', 'Please try again in 6m0s.', 360_000],
    ['in minutes', 'try again in 2 minutes', 120_000],
    ['in milliseconds of a sentence', 'Please try again in 320ms', 320],
    ['hours, which are more than we wait', 'try again in 3 hours', activityLimits.maxRetryAfter],
    ['the last of different forms', '{"retry_after": 2}\nPlease try again in 5s', 5_000],
    ['a number without a unit in a sentence', 'retry 5 times', undefined],
  ])('%s', (_, text, ms) => {
    expect(parseRetryAfter(text, now)).toBe(ms);
  });
});

describe('names of files', () => {
  const name = (taskId: string, subtaskId: string, attempt = 1): string => {
    const key = { taskId, subtaskId, attempt, chain: 'c', startedAt: 's' };
    const paths = attemptPaths('/home/h', key, 'default');
    expect(paths.folder.startsWith('/home/h/running/')).toBe(true);
    expect(basename(paths.log)).toBe(`${paths.stem}.log`);
    return paths.record.slice('/home/h/running/'.length).replace(/\.[0-9a-f]{12}(?=\.json$)/, '');
  };

  test('plain ids stand as they are', () => {
    expect(name('2026.01-x_1', 'write-notes', 3)).toBe('2026.01-x_1/write-notes-3.json');
  });

  test('ids of any script and length are short, safe, and kept apart even where case does not count', () => {
    const ids = [
      'Entwurf',
      'entwurf',
      'черновик',
      '草稿',
      'a'.repeat(65),
      'a'.repeat(66),
      '..',
      '.',
      '../x',
      'a/b',
      'a b',
      'É',
      'E\u0301',
    ];
    const names = ids.map((id) => name('t', id));
    expect(new Set(names.map((text) => text.toLowerCase())).size).toBe(ids.length);
    for (const text of names) expect(text).toMatch(/^t\/[a-z0-9_~.-]{1,80}\.json$/);
    for (const id of ids) expect(name(id, 'x')).toMatch(/^[a-z0-9_~-][a-z0-9_~.-]{0,80}\/x-1\.json$/);
  });

  test('subtask and attempt cannot be mistaken for each other', () => {
    expect(name('t', 'a-1', 2)).not.toBe(name('t', 'a', 12));
    expect(name('t', 'a-1', 2)).not.toBe(name('t', 'a-1-2', 1));
  });
});

describe('environment', () => {
  test('the base is taken from the worker, and completed', () => {
    const worker: Variables = { PATH: '/p', HOME: '/h', LANG: 'de_DE.UTF-8', TMPDIR: '/t', SECRET: 's' };
    expect(baseEnvironment(worker)).toEqual({
      PATH: '/p',
      HOME: '/h',
      LANG: 'de_DE.UTF-8',
      TMPDIR: '/t',
    });
    expect(baseEnvironment({ HOME: '' })).toEqual({
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: homedir(),
      LANG: 'C.UTF-8',
      TMPDIR: tmpdir(),
    });
  });
});

describe('why a program did not start', () => {
  const program = { argv: ['agent'], cwd: '/w', path: '/usr/bin:/bin' };
  test.each([
    ['ENOENT', 127, 'The program "agent" was not found on the PATH (/usr/bin:/bin).'],
    ['EACCES', 126, 'The program "agent" cannot be run: permission denied. Is it executable (chmod +x)?'],
    ['EMFILE', null, 'The program "agent" could not be started: EMFILE: too many'],
  ])('%s', async (code, exitCode, message) => {
    expect(await explainStart({ code, message: 'too many' }, program)).toEqual({ exitCode, message });
  });

  test('a path that is not there is told with the place, a missing interpreter is told from it', async () => {
    const cwd = await temporaryFolder();
    const explain = (): Promise<{ message: string }> =>
      explainStart({ code: 'ENOENT', message: '' }, { argv: ['./agent.sh'], cwd, path: '' });
    expect((await explain()).message).toBe(
      `The program "./agent.sh" was not found: there is no ${join(cwd, 'agent.sh')}.`,
    );
    await writeFile(join(cwd, 'agent.sh'), '#!/no/such/interpreter\n');
    expect((await explain()).message).toContain('interpreter');
  });
});

describe('stamps of deliverables', () => {
  test('say what a file holds, and that it is not there', async () => {
    const workspace = await temporaryFolder();
    await writeFile(join(workspace, 'a.md'), 'text');
    expect(await stampDeliverables(workspace, ['a.md', 'b.md', 'a.md/x'])).toEqual([
      { path: 'a.md', sha256: sha256('text') },
      { path: 'b.md', sha256: null },
      { path: 'a.md/x', sha256: null },
    ]);
    expect(await stampDeliverables(join(workspace, 'gone'), ['a.md'])).toEqual([{ path: 'a.md', sha256: null }]);
  });

  test('of a folder change with anything in it', async () => {
    const workspace = await temporaryFolder();
    await mkdir(join(workspace, 'site/deep'), { recursive: true });
    const stamp = async (): Promise<string | null | undefined> =>
      (await stampDeliverables(workspace, ['site']))[0]?.sha256;
    const empty = await stamp();
    await writeFile(join(workspace, 'site/deep/page.html'), 'one');
    const one = await stamp();
    expect(await stamp()).toBe(one);
    await writeFile(join(workspace, 'site/deep/page.html'), 'longer');
    expect(new Set([empty, one, await stamp()]).size).toBe(3);
  });

  test('never look outside the workspace, nor wait for a pipe', async () => {
    const folder = await temporaryFolder();
    const workspace = join(folder, 'w');
    await mkdir(workspace);
    await writeFile(join(folder, 'secret'), 's');
    await writeFile(join(workspace, 'inside'), 'i');
    await symlink('../secret', join(workspace, 'out'));
    await symlink('inside', join(workspace, 'in'));
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    expect(await stampDeliverables(workspace, ['out', 'in', 'pipe', '../secret'])).toEqual([
      { path: 'out', sha256: 'outside' },
      { path: 'in', sha256: sha256('i') },
      { path: 'pipe', sha256: 'special' },
      { path: '../secret', sha256: 'outside' },
    ]);
  });

  test('of a huge file do not read it', async () => {
    const workspace = await temporaryFolder();
    await writeFile(join(workspace, 'huge'), '');
    await truncate(join(workspace, 'huge'), activityLimits.stampBytes + 1);
    expect((await stampDeliverables(workspace, ['huge']))[0]?.sha256).toMatch(/^size:\d+:/);
  });
});
