// One service per home: the lock is the kernel's, so no kill leaves it behind.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isLocked, tryLock, waitForLock } from '../../../workers/home/home-lock.ts';
import { makeTempFolder, startHelper } from '../support-server.ts';

it('is held by one of many processes that ask at once, and free when that one is killed', async () => {
  const run = makeTempFolder();
  const helpers = Array.from({ length: 5 }, () => startHelper('home/support-lock-holder.ts', [run]));
  const answers = await Promise.all(helpers.map((helper) => helper.line()));
  const holder = helpers[answers.indexOf('locked')]!;
  expect(answers.sort()).toEqual(['busy', 'busy', 'busy', 'busy', 'locked']);
  expect(isLocked({ run })).toBe(true);
  expect(tryLock({ run })).toBeUndefined();

  await Promise.all(helpers.filter((helper) => helper !== holder).map((helper) => helper.exited));
  const waiting = waitForLock({ run }, 10_000);
  const killedAt = Date.now();
  holder.child.kill('SIGKILL');
  const lock = await waiting;
  expect(Date.now() - killedAt).toBeLessThan(2_000);
  expect(lock).toBeDefined();
  lock?.release();
  expect(isLocked({ run })).toBe(false);
});

it('is seen by its own process too, and can be taken again after its release', () => {
  const run = makeTempFolder();
  const lock = tryLock({ run });
  onTestFinished(() => lock?.release());
  expect(isLocked({ run })).toBe(true);
  expect(tryLock({ run })).toBeUndefined();
  expect(isLocked({ run })).toBe(true);
  lock?.release();
  lock?.release();
  const again = tryLock({ run });
  expect(again).toBeDefined();
  again?.release();
});

it('lasts when its holder forgets it', async () => {
  const run = makeTempFolder();
  const helper = startHelper('home/support-lock-holder.ts', [run, 'forget']);
  expect(await helper.line()).toBe('locked');
  expect(await waitForLock({ run }, 300)).toBeUndefined();
  helper.child.kill('SIGKILL');
  await helper.exited;
});

it('looks without making anything', () => {
  const run = join(makeTempFolder(), 'run');
  expect(isLocked({ run })).toBe(false);
  expect(existsSync(run)).toBe(false);
});

it('is never refused because somebody else only looks', async () => {
  const run = makeTempFolder();
  tryLock({ run })?.release();
  const lookers = [1, 2].map(() => startHelper('home/support-lock-holder.ts', [run, 'look']));
  await Promise.all(lookers.map((looker) => looker.line()));
  for (let n = 0; n < 200; n++) {
    const lock = tryLock({ run });
    expect(lock).toBeDefined();
    lock?.release();
  }
  for (const looker of lookers) looker.child.kill('SIGKILL');
  await Promise.all(lookers.map((looker) => looker.exited));
});

it('says what is wrong with a file that is no lock', () => {
  const run = makeTempFolder();
  writeFileSync(
    join(run, 'service.lock'),
    'this is not a database at all, only some text that is long enough '.repeat(20),
  );
  expect(() => tryLock({ run })).toThrow(expect.objectContaining({ code: 'HOME_LOCK_BROKEN' }));
});
