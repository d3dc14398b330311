import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { consoleFolder, isConsoleFolder } from '../../activities/home/home-layout.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The console of an installed package, built when it is packed. */
const prebuilt = join(root, 'console');

/** The console of a clone: all its homes, however fresh, share it. */
const ownCache = join(root, 'node_modules', '.cache', 'heddle');
const kept = 3;

/** Sources of the console, and what decides about its packages. */
const sources = ['client/console/**/*', 'client/wire/**/*', 'domain/**/*.ts', 'package-lock.json'];

/** The folder of the built console. A clone builds it when it is first asked for, in a process of its own: the builder is large. */
export async function consoleBundle(cacheFolder: string): Promise<string> {
  if (existsSync(prebuilt)) return prebuilt;
  const hash = hashSources();
  const places = [ownCache, cacheFolder].map((folder) => consoleFolder(folder, hash));
  const cached = places.find((folder) => existsSync(folder));
  if (cached !== undefined) return cached;
  const [own = '', other = ''] = places;
  return build(own).catch(() => build(other));
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

async function build(folder: string): Promise<string> {
  const part = `${folder}.${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  const program = join(root, 'scripts', 'build-console.ts');
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program, part], { cwd: root });
  try {
    await rename(part, folder);
  } catch (error) {
    // Another process was faster.
    await rm(part, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  await forgetOld(dirname(folder));
  return folder;
}

/** Every change of the sources makes another one. */
async function forgetOld(cache: string): Promise<void> {
  const folders = (await readdir(cache)).filter(isConsoleFolder).map((name) => join(cache, name));
  const ages = await Promise.all(folders.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  const old = ages.sort((one, other) => other.at - one.at).slice(kept);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}
