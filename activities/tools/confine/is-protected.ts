import { isSecretPath } from '../../../domain/workspace/secret-path.ts';
import { temporaryPrefix } from '../../workspace/git/write-entry.ts';

/** Why a path of the workspace is never written by a tool. */
export type Protection = 'git' | 'own' | 'config' | 'secret';

export const sayProtected: Record<Protection, string> = {
  git: 'belongs to git: a broken repository cannot be undone. Read it if you must; it is not written by tools on files.',
  own: 'has a name that is reserved for unfinished writes.',
  config: 'says what Heddle may run: only a person changes it.',
  secret: 'is a place where secrets are kept: only a person changes it. Report what should be in it instead.',
};

/** `path` is relative to the workspace and passes through no link. Some file systems do not tell cases apart. */
export function isProtected(path: string): Protection | undefined {
  const parts = path.split('/');
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'git';
  if (parts.some((part) => part.startsWith(temporaryPrefix))) return 'own';
  if (parts.at(-1)?.toLowerCase() === 'heddle.toml') return 'config';
  return isSecretPath(path) ? 'secret' : undefined;
}
