import { constants } from 'node:fs';
import { access, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { findOwnProgram } from '../../programs/own-programs.ts';
import { isBelow, isSeen, type Mount } from './mount.ts';

/** Programs and what they are made of. */
const systemFolders = ['/usr', '/nix/store', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** The parts of `/etc` that programs need; the rest of it says more about the machine than a command has to know. */
const settings = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'fonts',
  'gai.conf',
  'host.conf',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki/ca-trust/extracted',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
];

/** Settings by which other machines are found. */
const networkSettings = ['hosts', 'resolv.conf'];

let system: Promise<Mount[]> | undefined;

/** The machine's programs, read-only, and the little of its settings that they need. Looked for once: they stay where they are. */
export async function seeSystem({ network }: { network: boolean }): Promise<Mount[]> {
  system ??= seeAll([...systemFolders, ...settings.map(inSettings)]);
  return network ? [...(await system), ...(await seeAll(networkSettings.map(inSettings)))] : system;
}

const inSettings = (name: string): string => `/etc/${name}`;

async function seeAll(paths: readonly string[]): Promise<Mount[]> {
  const mounts = await Promise.all(paths.map(seeAsItIs));
  return mounts.flatMap((mount) => mount ?? []);
}

/** A link stays one where it leads to something that is seen; what cannot be read is not there. */
async function seeAsItIs(at: string): Promise<Mount | undefined> {
  try {
    const from = await realpath(at);
    await access(from, constants.R_OK);
    const isLink = (await lstat(at)).isSymbolicLink();
    if (isLink && isBelow('/usr', from)) return { kind: 'link', at, to: await readlink(at) };
    return { kind: 'read', at, from };
  } catch {
    return undefined;
  }
}

interface Others {
  /** The folder that the command may write in. */
  workspace: string;
  /** PATH and home of the worker. */
  path: string;
  home: string;
  /** Mounts of places that are seen anyway. */
  seen: readonly Mount[];
  /** Folders that must not be seen. */
  hidden: readonly string[];
}

/**
 * Folders of the PATH that are elsewhere, and what Node's own programs (npm, npx) are made of. No more of such a place: tools of a user
 * keep their tokens beside their programs.
 */
export async function seePrograms({
  workspace,
  path,
  home,
  seen,
  hidden,
}: Others): Promise<{ mounts: Mount[]; path: string }> {
  const mounts: Mount[] = [];
  const see = async (folder: string): Promise<boolean> => {
    const visible = [...seen, ...mounts];
    if (isSeen(visible, folder) || visible.some(({ at }) => at === folder)) return true;
    const from = await findFolder(folder);
    // In the workspace somebody may put a link there, which would show whatever it leads to.
    if (isBelow(workspace, folder)) {
      if (from === folder) mounts.push({ kind: 'read', at: folder, from, held: true });
      return true;
    }
    if (from === undefined || isBelow(from, home) || touches(from, hidden)) return false;
    mounts.push({ kind: 'read', at: folder, from });
    return true;
  };
  const visible: string[] = [];
  for (const folder of new Set(path.split(delimiter).filter((entry) => isAbsolute(entry)))) {
    if (await see(folder)) visible.push(folder);
  }
  const node = findOwnProgram('node', { path, workspace });
  if (node !== undefined) {
    const prefix = dirname(dirname(await realpath(node)));
    await see(join(prefix, 'bin'));
    await see(join(prefix, 'lib', 'node_modules'));
  }
  return { mounts, path: visible.join(delimiter) || '/usr/local/bin:/usr/bin:/bin' };
}

const touches = (folder: string, hidden: readonly string[]): boolean =>
  hidden.some((place) => isBelow(folder, place) || isBelow(place, folder));

async function findFolder(folder: string): Promise<string | undefined> {
  try {
    const from = await realpath(folder);
    await access(from, constants.R_OK | constants.X_OK);
    return (await stat(from)).isDirectory() ? from : undefined;
  } catch {
    return undefined;
  }
}

/** Folders that the config allows to read; a folder that is given as a link is also found by that name. */
export async function seeReadRoots(roots: readonly string[]): Promise<Mount[]> {
  const mounts = await Promise.all(
    roots.map(async (at): Promise<Mount[]> => {
      const from = await realpath(at).catch(() => undefined);
      if (from === undefined) return [];
      const read: Mount = { kind: 'read', at: from, from };
      return from === at ? [read] : [read, { kind: 'link', at, to: from }];
    }),
  );
  return mounts.flat();
}
