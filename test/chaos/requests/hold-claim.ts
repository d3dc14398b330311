// Preloaded into a worker (`node --import`): a conversation with a model that plans stands still once its answer of this number is on the
// disk, as if the process had died there. No line of the worker knows of this.
import { readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { task, request, mark } = JSON.parse(process.env['HEDDLE_TEST_HOLD'] ?? '{}') as {
  task: string;
  request: number;
  /** The file that says that it stands. */
  mark: string;
};
const link = fs.link;

fs.link = async (from, to) => {
  await link(from, to);
  const claim = JSON.parse(readFileSync(to, 'utf8')) as { task?: string; name?: string };
  if (claim.task !== task || !claim.name?.startsWith('planner ')) return;
  if (!claim.name.endsWith(` ${request} answer`)) return;
  writeFileSync(mark, '');
  await new Promise(() => undefined);
};
syncBuiltinESMExports();
