import { listAncestors, type PathKey } from './path-key.ts';
import type { Meta } from './snapshot.ts';

/** Tells whether a snapshot may lack a file of this path: it lies below a folder that was left out. */
export function isBelowLeftOut({ leftOut }: Pick<Meta, 'leftOut'>, path: PathKey): boolean {
  return listAncestors(path).some((folder) => Object.hasOwn(leftOut, folder));
}

/** The topmost folder above a path that a snapshot left out. */
export function findLeftOutAbove({ leftOut }: Pick<Meta, 'leftOut'>, path: PathKey): PathKey | undefined {
  return listAncestors(path).findLast((folder) => Object.hasOwn(leftOut, folder));
}
