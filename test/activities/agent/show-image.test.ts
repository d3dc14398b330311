// Which images a model is shown, and how it is told of the others.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeAnswer, type AnswerParts } from '../../../activities/agent/build-tool-result.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { LoggedResult } from '../../../domain/conversation/entry.ts';
import { Habits } from '../../../domain/conversation/habits.ts';
import type { ImageRef } from '../../../domain/conversation/image.ts';
import { redPixel } from '../../support/images.ts';
import { temporaryFolder } from '../execute/program/support.ts';

const secret = 'sk-live-4f9a8b7c6d5e4f3a2b1c';
const call = { callId: '1.1', id: 'c1', tool: 'read_file', input: '{}', cut: false };
const size = { type: 'image/png' as const, width: 1, height: 1 };
const big = (bytes: number): ImageRef => ({ ...size, sha256: 'a'.repeat(64), bytes });
const answered = (image: ImageRef): LoggedResult => ({
  ...call,
  call: '1.2',
  kind: 'reads',
  text: '',
  isError: false,
  image,
});
const text = 'PNG image, 70 bytes, 1 x 1 pixels.';
const most = activityLimits.agent.images;

type Given = Partial<AnswerParts & { beside: LoggedResult[]; content: Buffer }>;

async function answer({ content = redPixel, ...given }: Given): Promise<{ made: LoggedResult; store: FileStore }> {
  const store = new FileStore(join(await temporaryFolder(), 'store'));
  const redact = (text: string): string => text.replaceAll(secret, '[KEY]');
  const parts = { store, owner: { redact }, habits: new Habits(), sees: true, shown: [], beside: [], ...given };
  return { made: await makeAnswer(call, 'reads', { ok: true, text, image: { ...size, content } }, parts), store };
}

test('a model that sees is shown it, by reference', async () => {
  const { made, store } = await answer({});
  expect(made).toMatchObject({ text, isError: false, image: { ...size, bytes: redPixel.length } });
  if (made.image === undefined) throw new Error('no image');
  expect(await store.get(made.image)).toEqual(redPixel);
});

test.each<[string, Given, string]>([
  ['a model that does not see', { sees: false }, `${text} You cannot see images.`],
  ['one image too many', { shown: [big(most)] }, `${text} It is not shown: this conversation has as many`],
  ['one too many in the same reply', { beside: [answered(big(most))] }, `${text} It is not shown: this conversation`],
  [
    'a secret among its texts',
    { content: Buffer.concat([redPixel, Buffer.from(`tEXtkey=${secret}`)]) },
    `${text} It is not shown: a text inside of it holds a secret.`,
  ],
])('%s: it is described', async (_, given, expected) => {
  const { made } = await answer(given);
  expect(made.image).toBeUndefined();
  expect(made.text.startsWith(expected)).toBe(true);
});

test('the last bytes that fit are shown', async () => {
  const { made } = await answer({ shown: [big(most - redPixel.length)] });
  expect(made.image).toBeDefined();
});
