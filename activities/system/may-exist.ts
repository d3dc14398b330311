import { lstatSync } from 'node:fs';

/** Returns true if something is at a place, a link with a missing target included. A place that cannot be looked at may exist. */
export function mayExist(place: string): boolean {
  try {
    lstatSync(place);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
