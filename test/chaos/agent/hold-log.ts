// Preloaded into a worker (`node --import`): its conversations stand still for ever at the entry of their logs that they are told, as if
// the process had died there. Then it is killed. No line of the worker knows of this.
import { writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Holds } from './holds.ts';

const { holds, folder } = JSON.parse(process.env['HEDDLE_TEST_HOLDS'] ?? '{}') as { holds: Holds; folder: string };
const open = fs.open;

fs.open = async (path, flags, mode) => {
  const file = await open(path, flags, mode);
  const hold = flags === 'a' && String(path).endsWith('.jsonl') ? holds[basename(dirname(String(path)))] : undefined;
  if (hold !== undefined) holdAt(file, hold, basename(dirname(String(path))));
  return file;
};
syncBuiltinESMExports();

function holdAt(file: FileHandle, { k, nth, when }: Holds[string], task: string): void {
  const append = file.appendFile.bind(file);
  let seen = 0;
  file.appendFile = async (data, options) => {
    const line = String(data);
    if (line.startsWith(`{"k":"${k}"`)) seen += 1;
    const isHere = seen === nth && line.startsWith(`{"k":"${k}"`);
    if (!isHere) return append(data, options);
    if (when === 'half') await append(line.slice(0, line.length / 2));
    if (when === 'after') await append(line);
    writeFileSync(join(folder, task), '');
    await new Promise(() => undefined);
  };
}
