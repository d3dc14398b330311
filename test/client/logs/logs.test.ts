// The output of programs: from files of running attempts and from the store, byte by byte.
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openLive, openOutput, openTranscript, readFrom, skipBytes } from '../../../client/logs/attempt-output.ts';
import { LogPrinter } from '../../../client/logs/log-printer.ts';
import { Output } from '../../../client/cli/shared/output.ts';
import type { Ports } from '../../../client/ports/ports.ts';
import { record, testPorts } from '../cli/shared/support.ts';

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function filesIn(
  stored: Record<string, string> = {},
): Promise<{ folder: string; files: Pick<Ports, 'readOutput' | 'liveLog'> }> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    liveLog: ({ subtaskId, attempt }: { subtaskId: string; attempt: number }) =>
      join(folder, `${subtaskId}-${attempt}.log`),
    readOutput: (sha256: string) =>
      Promise.resolve(stored[sha256] === undefined ? undefined : Readable.from([Buffer.from(stored[sha256])])),
  };
  return { folder, files };
}

test('a running attempt is read from its file, an ended one from the store, and what is nowhere is said to be elsewhere', async () => {
  const { folder, files } = await filesIn({ ref: 'whole output\n' });
  await writeFile(join(folder, 'draft-1.log'), 'so far');
  const open = async (given: Parameters<typeof record>[0]): Promise<string> => {
    const opened = await openOutput(files, 't1', record(given));
    return typeof opened === 'string' ? opened : text(opened.bytes);
  };
  expect(await open({ outcome: 'running' })).toBe('so far');
  expect(await open({ outcome: 'passed', outputRef: 'ref' })).toBe('whole output\n');
  expect(await open({ outcome: 'running', attempt: 2 })).toBe('elsewhere');
  expect(await open({ outcome: 'failed', outputRef: 'other' })).toBe('elsewhere');
  expect(await open({ outcome: 'failed', outputRef: null })).toBe('nothing');
});

test('an attempt that stands still is read from the store', async () => {
  const { files } = await filesIn({ ref: 'so far\n' });
  const opened = await openOutput(files, 't1', record({ outcome: 'running', outputRef: 'ref' }));
  expect(typeof opened === 'string' ? opened : await text(opened.bytes)).toBe('so far\n');
});

test('a transcript is read from the store, and what is no agent has none', async () => {
  const { files } = await filesIn({ ref: '# Conversation\n' });
  const open = async (transcriptRef?: string | null): Promise<string> => {
    const opened = await openTranscript(files, {
      ...record({}),
      ...(transcriptRef === undefined ? {} : { transcriptRef }),
    });
    return typeof opened === 'string' ? opened : text(opened.bytes);
  };
  expect(await open('ref')).toBe('# Conversation\n');
  expect(await open('other')).toBe('elsewhere');
  expect(await open(null)).toBe('nothing');
  expect(await open()).toBe('nothing');
});

test('a file is read on from where it was left, and one that vanished has nothing more', async () => {
  const { folder, files } = await filesIn();
  const path = join(folder, 'draft-1.log');
  await writeFile(path, 'one\n');
  const live = await openLive(files, 't1', record({ outcome: 'running' }));
  expect(live).toMatchObject({ path, size: 4 });
  await appendFile(path, 'two\n');
  expect(await text(readFrom(path, 4))).toBe('two\n');
  await rm(path);
  expect(await openLive(files, 't1', record({ outcome: 'running' }))).toBeUndefined();
  expect(await text(readFrom(path, 8))).toBe('');
});

test('bytes that were shown are left out, also in the middle of a chunk', async () => {
  const chunks = (): AsyncIterable<Uint8Array> => Readable.from([Buffer.from('abc'), Buffer.from('def')]);
  expect(await text(skipBytes(chunks(), 0))).toBe('abcdef');
  expect(await text(skipBytes(chunks(), 4))).toBe('ef');
  expect(await text(skipBytes(chunks(), 3))).toBe('def');
  expect(await text(skipBytes(chunks(), 99))).toBe('');
});

test('outputs have a header where another one begins, on a line of its own', async () => {
  const { ports, stdout } = testPorts();
  const printer = new LogPrinter(new Output(ports, { json: false }), { keepsColours: true });
  const bytes = (text: string): AsyncIterable<Uint8Array> => Readable.from([Buffer.from(text)]);
  const a = record({ subtask: 'a', outcome: 'running' });
  const b = record({ subtask: 'b', outcome: 'failed', type: 'timeout' });
  expect(await printer.print(a, bytes('one\ntw'))).toBe(6);
  await printer.print(a, bytes('o'));
  await printer.print(b, bytes('three'));
  await printer.remark(b, 'started again');
  await printer.print(a, bytes(''));
  await printer.end();
  expect(stdout()).toBe(
    '==> a, attempt 1 (running) <==\none\ntwo\n\n==> b, attempt 1 (failed, timeout) <==\nthree\n(started again)\n',
  );
});

const hostile = Buffer.from(
  'a\u001b]52;c;aGk=\u0007b\u001b[2Jc\u202edcba\u202c\u001b[31mred\u001b[0m over\rwritten\r\n\tend\n',
);

test.each([
  [
    'of a model',
    false,
    'a\\u{1b}]52;c;aGk=\\u{7}b\\u{1b}[2Jc\\u{202e}dcba\\u{202c}\\u{1b}[31mred\\u{1b}[0m over\nwritten\n\tend\n',
  ],
  [
    'of a program, which keeps its colours',
    true,
    'a\\u{1b}]52;c;aGk=\\u{7}b\\u{1b}[2Jc\\u{202e}dcba\\u{202c}\u001b[31mred\u001b[0m over\nwritten\n\tend\n',
  ],
])('a text %s commands no terminal, however it is cut into pieces', async (_, keepsColours, shown) => {
  for (const size of [1, 3, 7, hostile.length]) {
    const { ports, stdout } = testPorts({}, { isTTY: true, columns: 80 });
    const show = new Output(ports, { json: false }).foreign({ keepsColours });
    for (let at = 0; at < hostile.length; at += size) await show(hostile.subarray(at, at + size));
    expect(stdout()).toBe(shown);
  }
});

test('a text that no terminal shows stays as it is', async () => {
  const { ports, stdout } = testPorts();
  await new Output(ports, { json: false }).foreign()(hostile);
  expect(stdout()).toBe(hostile.toString());
});
