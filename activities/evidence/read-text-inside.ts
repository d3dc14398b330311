import { evidenceLimits } from '../../domain/evidence/limits.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';
import { readWhole } from './find-source.ts';

/** The text of a small file inside a folder; undefined where there is none that may be read. */
export async function readTextInside(root: string, path: string): Promise<string | undefined> {
  const place = await resolveInWorkspace(root, path);
  if (place.kind !== 'file') return undefined;
  return (await readWhole(place.real, evidenceLimits.targetsBytes))?.toString('utf8');
}
