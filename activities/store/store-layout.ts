import { join } from 'node:path';

import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { sha256 } from '../system/hash-file.ts';
import type { ClaimKey } from './store.ts';

const objectName = /^[0-9a-f]{64}$/;

/** Folders of a store on files. */
export const storeFolders = {
  objects: (root: string): string => join(root, 'objects'),
  claims: (root: string): string => join(root, 'claims'),
  /** Files that are being written: a crash may leave them behind. */
  temporary: (root: string): string => join(root, 'tmp'),
};

export function objectFile(root: string, hash: string): string {
  if (!objectName.test(hash))
    throw new HeddleError({ code: 'STORE_BAD_REFERENCE', message: `"${hash.slice(0, 80)}" is not a reference` });
  return join(storeFolders.objects(root), hash.slice(0, 2), hash.slice(2));
}

/** All claims of one task. */
export const claimsFolder = (root: string, task: string): string =>
  join(storeFolders.claims(root), sha256(task).slice(0, 32));

export const claimFile = (root: string, { task, name }: ClaimKey): string =>
  join(claimsFolder(root, task), sha256(name));
