import { dirname, sep } from 'node:path';
import { resolveLinks } from '../../files/resolve-links.ts';

/** Folders that tools on files keep away from, as absolute paths; links on the way are followed at each look. */
export interface GuardedFolders {
  /** Heddle's own: neither read nor written. */
  own: readonly string[];
  /** Folders in which programs are looked for: nothing is put there. */
  programs: readonly string[];
}

export type Guard = 'own-folder' | 'program-folder';

export const guardTexts: Record<Guard, string> = {
  'own-folder': "belongs to Heddle itself, or holds a folder of Heddle's. Tools cannot use it.",
  'program-folder':
    'is where programs are looked for (the PATH), or holds such a folder: tools on files put nothing there.',
};

/** Why a place may not be used. A copy that a subtask works in lies among what is Heddle's, and is its own. */
export function findGuard(
  real: string,
  to: 'read' | 'write',
  { workspace, guarded }: { workspace: string; guarded: GuardedFolders },
): Guard | undefined {
  const own = hiddenFolders({ guarded });
  if (own.some((folder) => isInside(folder, real) && !(isInside(folder, workspace) && isInside(workspace, real))))
    return 'own-folder';
  if (to === 'read') return undefined;
  if (own.some((folder) => isInside(real, folder))) return 'own-folder';
  const programs = guarded.programs.map((folder) => resolveLinks(folder, sep));
  const isProgram = programs.some(
    (folder) => folder !== workspace && (dirname(real) === folder || isInside(real, folder)),
  );
  return isProgram ? 'program-folder' : undefined;
}

/** Those of Heddle's own, as they are now. */
export const hiddenFolders = ({ guarded }: { guarded: GuardedFolders }): string[] =>
  guarded.own.map((folder) => resolveLinks(folder, sep));

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
