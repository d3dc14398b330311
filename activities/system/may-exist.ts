import { lstatSync } from 'node:fs';

/** Whether something is at a place, a link that leads nowhere included. What cannot be looked at may exist. */
export function mayExist(place: string): boolean {
  try {
    lstatSync(place);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
