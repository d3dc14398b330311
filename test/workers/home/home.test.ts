// The folders of the state.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runChecks } from '../../../workers/doctor/doctor.ts';
import { freeSpace, heddleHome, homeOfAnyVersion, makeFolder, stampHome } from '../../../workers/home/home.ts';
import { ensureService } from '../../../workers/service/start-service.ts';
import { makeTempFolder } from '../support-server.ts';

test('keeps everything below HEDDLE_HOME, as absolute paths', () => {
  const home = heddleHome({ HEDDLE_HOME: 'some/where', HOME: '/tmp' });
  const root = resolve('some/where');
  expect(home).toEqual({
    data: join(root, 'data'),
    store: join(root, 'store'),
    cache: join(root, 'cache'),
    run: join(root, 'run'),
    logs: join(root, 'logs'),
    sharedCache: '/tmp/.cache/heddle',
  });
  expect(existsSync(root)).toBe(false);
});

test('follows the XDG variables without HEDDLE_HOME', () => {
  const root = makeTempFolder();
  const home = heddleHome({
    HEDDLE_HOME: '',
    XDG_DATA_HOME: `${root}/d`,
    XDG_CACHE_HOME: `${root}/c`,
    XDG_STATE_HOME: `${root}/s`,
    XDG_RUNTIME_DIR: `${root}/r`,
  });
  expect(home).toEqual({
    data: `${root}/d/heddle/data`,
    store: `${root}/d/heddle/store`,
    cache: `${root}/c/heddle`,
    run: `${root}/s/heddle/run`,
    logs: `${root}/s/heddle/logs`,
    sharedCache: `${root}/c/heddle`,
  });
});

test('takes a relative or empty XDG variable for unset', () => {
  const root = makeTempFolder();
  const home = heddleHome({ HOME: root, XDG_DATA_HOME: 'relative', XDG_STATE_HOME: '' });
  expect(home.data).toBe(`${root}/.local/share/heddle/data`);
  expect(home.run).toBe(`${root}/.local/state/heddle/run`);
  expect(home.cache).toBe(`${root}/.cache/heddle`);
});

test.each(['home', 'home/below/it'])('refuses a HEDDLE_HOME that is a file or below one (%s)', (name) => {
  const root = makeTempFolder();
  writeFileSync(join(root, 'home'), '');
  expect(() => heddleHome({ HEDDLE_HOME: join(root, name) })).toThrow(
    expect.objectContaining({
      code: 'HOME_NOT_WRITABLE',
      where: join(root, 'home'),
      hint: expect.stringContaining('HEDDLE_HOME') as string,
    }),
  );
});

// File systems of the kernel: not even root can make a folder there. Of a folder in /proc it says that it does not exist, however often one tries.
test.each(['/sys', '/proc'])('refuses a HEDDLE_HOME that cannot be written (%s)', (place) => {
  const make = () => makeFolder(heddleHome({ HEDDLE_HOME: `${place}/heddle` }).run);
  expect(make).toThrow(expect.objectContaining({ code: 'HOME_NOT_WRITABLE' }));
});

test('knows how much space is left for a folder that is not there yet; a disk that is full is refused', async () => {
  const { data } = heddleHome({ HEDDLE_HOME: join(makeTempFolder(), 'not', 'yet') });
  expect(freeSpace(data)).toBeGreaterThan(0);
  expect(() => freeSpace('/proc/heddle')).toThrow(
    expect.objectContaining({
      code: 'HOME_NOT_WRITABLE',
      message: 'Heddle cannot keep its state in /proc/heddle: only 0 bytes are free on its disk',
    }),
  );
  const checks = await runChecks({ ...process.env, HEDDLE_HOME: '/proc/heddle' }, makeTempFolder());
  expect(checks.find(({ name }) => name === 'home')).toMatchObject({
    ok: false,
    hint: expect.stringContaining('free some space') as string,
  });
});

test.each(['run/last-used', 'logs'])(
  'a place in it that the system refuses to write is no mistake of ours (%s)',
  async (name) => {
    const root = makeTempFolder();
    const env = { HEDDLE_HOME: root };
    mkdirSync(join(root, 'run'));
    symlinkSync('/nowhere/at/all', join(root, name));
    const started = ensureService(heddleHome(env), env, () => undefined);
    await expect(started).rejects.toMatchObject({ code: 'HOME_NOT_WRITABLE' });
  },
);

test.each(['{"version":1}', '{"version":3}', '{"version":"2"}', '{"version":0}', '{}', 'null', '', 'x'])(
  'refuses a home whose version is noted as %s',
  (note) => {
    const root = makeTempFolder();
    writeFileSync(join(root, 'home.json'), note);
    expect(() => heddleHome({ HEDDLE_HOME: root })).toThrow(
      expect.objectContaining({ code: 'HOME_VERSION', where: join(root, 'home.json') }),
    );
    expect(homeOfAnyVersion({ HEDDLE_HOME: root }).data).toBe(join(root, 'data'));
  },
);

test('notes the version in a home that has none', () => {
  const root = makeTempFolder();
  stampHome(heddleHome({ HEDDLE_HOME: root }));
  expect(JSON.parse(readFileSync(join(root, 'home.json'), 'utf8'))).toEqual({ version: 2 });
  stampHome(heddleHome({ HEDDLE_HOME: root }));
});
