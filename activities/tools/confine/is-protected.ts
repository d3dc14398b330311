import { temporaryPrefix } from '../../workspace/git/write-entry.ts';

/** Why a path of the workspace is never written by a tool on files, also with a person's yes. What a person may allow is the gate's to say. */
export type Protection = 'git' | 'own';

export const protectionTexts: Record<Protection, string> = {
  git: 'belongs to git, and undo does not cover a broken repository. Tools on files may read it, but not write it.',
  own: 'has a name that is reserved for unfinished writes.',
};

/** `path` is relative to the workspace and passes through no link. Some file systems do not tell cases apart. */
export function isProtected(path: string): Protection | undefined {
  const parts = path.split('/');
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'git';
  return parts.some((part) => part.startsWith(temporaryPrefix)) ? 'own' : undefined;
}
