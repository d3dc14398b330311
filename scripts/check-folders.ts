import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A folder is one capability: what has more files than this is two of them. */
const mostFiles = 25;

const rooms = ['domain', 'workflows', 'activities', 'workers', 'client', 'bench', 'scripts', 'test'];

/** Recorded data, which grows by its nature. */
const data = new Set(['test/corpora']);

interface Folder {
  path: string;
  files: number;
}

/** The folders below some of a project's folders that hold more files than one may. */
function findCrowded(root: string, folders: readonly string[]): Folder[] {
  return folders.flatMap((folder) => look(root, join(root, folder))).filter(({ files }) => files > mostFiles);
}

function look(root: string, path: string): Folder[] {
  const name = relative(root, path).split('\\').join('/');
  if (data.has(name)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).length;
  const inside = entries.filter((entry) => entry.isDirectory()).flatMap((entry) => look(root, join(path, entry.name)));
  return [{ path: name, files }, ...inside];
}

const crowded = findCrowded(process.cwd(), rooms);
for (const { path, files } of crowded) {
  process.stderr.write(`${path} has ${files} files; a folder has at most ${mostFiles}: split it by capability\n`);
}
process.exitCode = crowded.length === 0 ? 0 : 1;
