// One service per home: the lock is the kernel's, so no kill leaves it behind.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, onTestFinished } from 'vitest';
import { tryLock } from '../../../workers/home/home-lock.ts';
import { makeTempFolder, startHelper } from '../support-server.ts';

test('is held by one of many processes that ask at once, and free when that one is killed', async () => {
  const run = makeTempFolder();
  const helpers = Array.from({ length: 5 }, () => startHelper('home/support-lock-holder.ts', [run]));
  const answers = await Promise.all(helpers.map((helper) => helper.line()));
  const holder = helpers[answers.indexOf('locked')]!;
  expect(answers.sort()).toEqual(['busy', 'busy', 'busy', 'busy', 'locked']);
  expect(tryLock({ run })).toBeUndefined();

  await Promise.all(helpers.filter((helper) => helper !== holder).map((helper) => helper.exited));
  holder.child.kill('SIGKILL');
  await holder.exited;
  const lock = tryLock({ run });
  expect(lock).toBeDefined();
  lock?.release();
});

test('is seen by its own process too, and can be taken again after its release', () => {
  const run = makeTempFolder();
  const lock = tryLock({ run });
  onTestFinished(() => lock?.release());
  expect(tryLock({ run })).toBeUndefined();
  lock?.release();
  lock?.release();
  const again = tryLock({ run });
  expect(again).toBeDefined();
  again?.release();
});

test('lasts when its holder forgets it', async () => {
  const run = makeTempFolder();
  const helper = startHelper('home/support-lock-holder.ts', [run, 'forget']);
  expect(await helper.line()).toBe('locked');
  // Long enough for its garbage to be collected many times.
  await sleep(300);
  expect(tryLock({ run })).toBeUndefined();
  helper.child.kill('SIGKILL');
  await helper.exited;
});

test('says what is wrong with a file that is no lock', () => {
  const run = makeTempFolder();
  writeFileSync(
    join(run, 'service.lock'),
    'this is not a database at all, only some text that is long enough '.repeat(20),
  );
  expect(() => tryLock({ run })).toThrow(expect.objectContaining({ code: 'HOME_LOCK_BROKEN' }));
});
