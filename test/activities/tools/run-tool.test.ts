// Time limits and trouble of the disk: a reading call has failed, a changing one is unknown, an abort is an abort.
import { expect, test } from 'vitest';
import { performEffect, planEffect, runReading, settleEffect } from '../../../activities/tools/run-tool.ts';
import type { CallEffect, MutatingTool, ReadingTool } from '../../../activities/tools/common/tool.ts';
import * as z from 'zod';
import { makeRig } from './files/support.ts';

const base = { name: 'slow', description: '', schema: z.unknown(), timeout: 20 };
const effect: CallEffect = { action: 'change', files: [] };
const never = (): Promise<never> => new Promise(() => undefined);
const disk = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' }));
const mistake = (): Promise<never> => Promise.reject(new TypeError('our own'));

const reading = (run: ReadingTool<unknown>['run']): ReadingTool<unknown> => ({ ...base, kind: 'reads', run });
const changing = (step: () => Promise<never>): MutatingTool<unknown> => ({
  ...base,
  kind: 'mutates',
  interruptible: false,
  plan: step,
  assess: step,
  perform: step,
  settle: step,
  evidence: step,
});

test('a call that takes too long has failed when it reads or plans, and is unknown when it changes', async () => {
  const { place } = await makeRig();
  const failed = { ok: false, text: 'slow did not end within 0 s. Nothing was changed; ask for less.' };
  expect(await runReading(reading(never), {}, place)).toEqual(failed);
  expect(await planEffect(changing(never), {}, place)).toEqual(failed);
  expect(await performEffect(changing(never), {}, effect, place)).toEqual({
    kind: 'unknown',
    why: 'slow did not end within 0 s.',
  });
  expect(await settleEffect(changing(never), effect, place)).toBe('unclear');
});

test('trouble of the disk is told; what was being changed then is unknown; so are our own mistakes', async () => {
  const { place } = await makeRig();
  expect(await runReading(reading(disk), {}, place)).toEqual({ ok: false, text: 'slow failed: EIO: i/o error.' });
  expect(await performEffect(changing(disk), {}, effect, place)).toMatchObject({ kind: 'unknown' });
  expect(await performEffect(changing(mistake), {}, effect, place)).toMatchObject({ kind: 'unknown' });
  expect(await settleEffect(changing(disk), effect, place)).toBe('unclear');
  expect(await runReading(reading(mistake), {}, place)).toEqual({ ok: false, text: 'slow failed: our own.' });
});

test('the work is told that its time is over', async () => {
  const { place } = await makeRig();
  let toolSignal: AbortSignal | undefined;
  await runReading(
    reading((_, { signal }) => ((toolSignal = signal), never())),
    {},
    place,
  );
  expect(toolSignal?.aborted).toBe(true);
  expect(place.signal.aborted).toBe(false);
});

test('an abort of the attempt is thrown, before and meanwhile', async () => {
  const { place } = await makeRig();
  const abort = new AbortController();
  const running = performEffect({ ...changing(never), timeout: 60_000 }, {}, effect, {
    ...place,
    signal: abort.signal,
  });
  abort.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
  await expect(runReading(reading(never), {}, { ...place, signal: abort.signal })).rejects.toThrow('cancelled');
});
