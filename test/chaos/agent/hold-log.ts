// Preloaded into a worker (`node --import`): its conversations stand still at the entry of their logs that they are told, as if the process
// had died there, until it is killed or they are released. No line of the worker knows of this.
import { existsSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { marks, type Holds } from './holds.ts';

const { holds, folder } = JSON.parse(process.env['HEDDLE_TEST_HOLDS'] ?? '{}') as { holds: Holds; folder: string };
const open = fs.open;

fs.open = async (path, flags, mode) => {
  const file = await open(path, flags, mode);
  const name = String(path);
  if (flags === 'a' && name.endsWith('.jsonl')) watch(file, basename(dirname(name)));
  return file;
};
syncBuiltinESMExports();

function watch(file: FileHandle, task: string): void {
  const hold = holds[task];
  if (hold !== undefined) holdAt(file, hold, task);
  const close = file.close.bind(file);
  file.close = async () => {
    await close();
    writeFileSync(join(folder, marks.left(task)), '');
  };
}

function holdAt(file: FileHandle, { k, nth, when }: Holds[string], task: string): void {
  const append = file.appendFile.bind(file);
  let seen = 0;
  file.appendFile = async (data, options) => {
    const line = typeof data === 'string' ? data : '';
    const isOfKind = line.startsWith(`{"k":"${k}"`);
    if (isOfKind) seen += 1;
    if (!isOfKind || seen !== nth) return append(data, options);
    if (when === 'half') await append(line.slice(0, line.length / 2));
    if (when === 'after') await append(line);
    writeFileSync(join(folder, marks.held(task)), '');
    while (!existsSync(join(folder, marks.released))) await sleep(50);
    if (when === 'before') await append(line);
  };
}
