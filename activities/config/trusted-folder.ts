import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileIdentity } from '../../domain/config/layer.ts';
import { valueAt } from '../../domain/input/problem.ts';
import { identifyFolder } from './folder-identity.ts';
import { readConfigFiles } from './read-config.ts';
import { loadTrust } from './trust-records.ts';

export interface TrustLocation {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** The home, which knows the files that its user trusts. */
  root: string;
}

/**
 * Returns true if the user of this home, or the person who started the task, trusts the project in a folder: its `heddle.toml`, or the
 * folder itself or one above it up to the root of its repository. A record that cannot be read is no trust.
 */
export async function isTrustedFolder(plan: unknown, { env, workspace, root }: TrustLocation): Promise<boolean> {
  const isTrusted = (identity: FileIdentity): Promise<boolean> => isTrustedIdentity(plan, identity, root);
  const files = await readConfigFiles({ env, folder: workspace });
  const project = files.find((file) => file.kind === 'project');
  if (project !== undefined && (await isTrusted(project.identity))) return true;
  for (const folder of await foldersUpwards(workspace)) {
    const identity = await identifyFolder(folder);
    if (identity !== undefined && (await isTrusted(identity))) return true;
  }
  return false;
}

/** Returns true for a file or folder that the starter of the task vouches for, or the user of this home trusts, as it is. */
export const isTrustedIdentity = async (plan: unknown, identity: FileIdentity, root: string): Promise<boolean> =>
  isVouchedFor(plan, identity) || (await loadTrust(root, identity)) === 'trusted';

function isVouchedFor(plan: unknown, { path, sha256 }: FileIdentity): boolean {
  return ['trusted', 'folder'].some((name) => {
    const vouched = (key: keyof FileIdentity): unknown => valueAt(plan, ['config', name, key]);
    return vouched('path') === path && vouched('sha256') === sha256;
  });
}

/** The folder and those above it, up to the root of its repository. */
export async function foldersUpwards(workspace: string): Promise<string[]> {
  const folders = [workspace];
  for (let folder = workspace; !(await isRoot(folder)); folder = dirname(folder)) folders.push(dirname(folder));
  return folders;
}

const isRoot = async (folder: string): Promise<boolean> =>
  dirname(folder) === folder ||
  (await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  ));
