// Keys of the codec and what they do to payloads: bad files are refused without a word of a key, and no payload makes a worker throw.
import type { Payload } from '@temporalio/common';
import fc from 'fast-check';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseCodecKeys } from '../../../client/codec/codec-keys.ts';
import { addNewKey } from '../../../client/codec/new-key.ts';
import { clientCodec, encryptPayload, keyIdOf, workerCodec } from '../../../client/codec/payload-codec.ts';
import { readCodecKeys } from '../../../client/codec/read-keys.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const keys = (text: string) => parseCodecKeys(text, 'keys');
const [one, two] = [keys(`k1:${key(1)}`), keys(`k2:${key(2)}\nk1:${key(1)}`)];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-codec-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function refusal(work: () => unknown): HeddleError {
  try {
    work();
  } catch (error) {
    if (error instanceof HeddleError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const payload = (text: string): Payload => ({
  metadata: { encoding: Buffer.from('json/plain'), more: Buffer.from('secret type') },
  data: Buffer.from(JSON.stringify(text)),
});
const plain = ({ metadata, data }: Payload): unknown => [
  Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString()]),
  Buffer.from(data ?? []).toString(),
];

test.each([
  ['nothing', '', 'There is no key in the file'],
  ['comments alone', '# none\n\n', 'There is no key in the file'],
  ['a line without an id', key(1), 'A line is not `id:base64`'],
  ['an id with a space', `k 1:${key(1)}`, 'A line is not `id:base64`'],
  ['a short key', `k1:${Buffer.alloc(16, 7).toString('base64')}`, 'The key k1 has not 32 bytes'],
  ['an id twice', `k1:${key(1)}\nk1:${key(2)}`, 'There are two keys k1'],
])('a file of keys with %s is refused', (_, text, message) => {
  const error = refusal(() => keys(text));
  expect(error.code).toBe('CODEC_KEYS_INVALID');
  expect(error.message).toContain(message);
  expect(JSON.stringify(error.toJSON())).not.toContain(key(1).slice(0, 20));
});

test('the first key encrypts, and all decrypt', async () => {
  expect(two.first.id).toBe('k2');
  const old = encryptPayload(payload('a'), one.first);
  const [fresh] = await workerCodec(two).encode([payload('b')]);
  if (fresh === undefined) throw new Error('nothing was encoded');
  expect([keyIdOf(old), keyIdOf(fresh)]).toEqual(['k1', 'k2']);
  const decoded = await workerCodec(two).decode([old, fresh, payload('c')]);
  expect(decoded.map(plain)).toEqual([payload('a'), payload('b'), payload('c')].map(plain));
});

test('an encrypted payload shows neither its text nor its type, and differs each time', () => {
  const [first, second] = [encryptPayload(payload('marker'), one.first), encryptPayload(payload('marker'), one.first)];
  expect(Buffer.from(first.data ?? []).toString('latin1')).not.toMatch(/marker|secret type|json/);
  expect(Object.keys(first.metadata ?? {})).toEqual(['encoding', 'encryption-key-id']);
  expect(first.data).not.toEqual(second.data);
});

test('a worker passes on what it cannot open, and a person is told the key', async () => {
  const unknown = encryptPayload(payload('a'), keys(`k9:${key(9)}`).first);
  const otherKey = encryptPayload(payload('a'), keys(`k1:${key(9)}`).first);
  const changed = encryptPayload(payload('a'), one.first);
  changed.data?.fill(0, 20, 21);
  const renamed = { ...encryptPayload(payload('a'), two.first) };
  renamed.metadata = { ...renamed.metadata, 'encryption-key-id': Buffer.from('k1') };
  const empty: Payload = { metadata: { encoding: Buffer.from('binary/encrypted') } };
  for (const closed of [unknown, otherKey, changed, renamed, empty]) {
    expect(await workerCodec(two).decode([closed])).toEqual([closed]);
    await expect(clientCodec(two).decode([closed])).rejects.toMatchObject({ code: 'CODEC_KEY_MISSING' });
  }
  await expect(clientCodec(undefined).decode([unknown])).rejects.toThrow('encrypted, key k9 is missing');
});

test('no bytes make the codec of a worker throw, and no changed bit is taken for the text', async () => {
  const whole = encryptPayload(payload('text'), one.first);
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const data = Buffer.from(whole.data ?? []);
      data[at % data.length] = (data[at % data.length] ?? 0) ^ flip;
      const changed = { ...whole, data };
      expect(await workerCodec(one).decode([changed])).toEqual([changed]);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.string(), async (data, id) => {
      const strange = {
        metadata: { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(id) },
        data,
      };
      expect(await workerCodec(one).decode([strange])).toEqual([strange]);
    }),
  );
});

test('new-key makes a private file, and puts the next key before the others', () => {
  const file = join(folder(), 'keys');
  expect(addNewKey(file)).toEqual({ id: 'k1', keys: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const first = readFileSync(file, 'utf8');
  expect(addNewKey(file)).toEqual({ id: 'k2', keys: 2 });
  expect(readFileSync(file, 'utf8').endsWith(first)).toBe(true);
  expect(readCodecKeys(file).first.id).toBe('k2');
});

test('new-key leaves a file alone that holds something else', () => {
  const file = join(folder(), 'notes');
  writeFileSync(file, 'my notes\n', { mode: 0o600 });
  expect(refusal(() => addNewKey(file)).code).toBe('CODEC_KEYS_INVALID');
  expect(readFileSync(file, 'utf8')).toBe('my notes\n');
});

test('a file that others may read, a folder and a link to nothing are refused', () => {
  const path = folder();
  const file = join(path, 'keys');
  writeFileSync(file, `k1:${key(1)}\n`, { mode: 0o600 });
  chmodSync(file, 0o640);
  expect(refusal(() => readCodecKeys(file)).hint).toBe(`chmod 600 ${file}`);
  expect(refusal(() => readCodecKeys(path)).message).toBe('The file of keys is not a regular file');
  symlinkSync(join(path, 'gone'), join(path, 'link'));
  expect(refusal(() => readCodecKeys(join(path, 'link'))).message).toContain('ENOENT');
});

test('a key that is added later is known without a restart, and a broken file changes nothing', () => {
  const file = join(folder(), 'keys');
  writeFileSync(file, `k1:${key(1)}\n`, { mode: 0o600 });
  const read = readCodecKeys(file);
  expect(read.find('k2')).toBeUndefined();
  writeFileSync(file, 'broken');
  expect(read.find('k2')).toBeUndefined();
  expect(read.first.id).toBe('k1');
  writeFileSync(file, `k2:${key(2)}\nk1:${key(1)}\n`);
  expect(read.find('k2')).toEqual(Buffer.alloc(32, 2));
  expect(read.first.id).toBe('k2');
});
