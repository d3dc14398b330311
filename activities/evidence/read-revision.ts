import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { evidenceLimits } from '../../domain/evidence/limits.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findOwnProgram, ownPath } from '../programs/own-programs.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import { gitProcess } from '../workspace/git/git-process.ts';

export interface GitParts {
  folder: string;
  environment: PublicEnvironment;
  /** The time at which the task began to write here. */
  began: () => Promise<number>;
}

/** A revision of the workspace's repository: a commit with its changes, or one file of a commit. */
export interface Revision {
  object: string;
  text: string;
  /** It was made after the task had begun. */
  isNew: boolean;
}

/**
 * Reads a revision with git's own plumbing: nothing that the repository's settings name is run, and nothing is fetched. `unreadable` where git
 * cannot tell.
 */
export async function readRevision(name: string, parts: GitParts): Promise<Revision | 'missing' | 'unreadable'> {
  if (name.startsWith('-')) return 'missing';
  const parsed = await git(parts, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  if (parsed === undefined) return 'unreadable';
  if (parsed.code !== 0) return (await isRepository(parts)) ? 'missing' : 'unreadable';
  const object = parsed.stdout.trim();
  if (!/^[0-9a-f]{40,64}$/u.test(object)) return 'missing';
  const texts = await readTexts(object, parts);
  if (texts === undefined) return 'unreadable';
  return { object, text: texts.join('\n'), isNew: await isNew(object, name, parts) };
}

async function isRepository(parts: GitParts): Promise<boolean> {
  return (await git(parts, ['rev-parse', '--git-dir']))?.code === 0;
}

/** A commit is its message and its changes; a tag, a file and a folder are what they hold. */
async function readTexts(object: string, parts: GitParts): Promise<string[] | undefined> {
  const kind = (await git(parts, ['cat-file', '-t', object]))?.stdout.trim();
  const content = await git(parts, ['cat-file', '-p', object]);
  if (content?.code !== 0) return undefined;
  if (kind !== 'commit') return [content.stdout];
  const form = ['--root', '-p', '-r', '-m', '--first-parent', '--no-color', '--no-ext-diff', '--no-textconv'];
  const changes = await git(parts, ['diff-tree', '--no-commit-id', ...form, object]);
  return changes?.code === 0 ? [content.stdout, changes.stdout] : [content.stdout];
}

/** By the time that a commit states, and by the file of the object, whose time nobody can set. */
async function isNew(object: string, name: string, parts: GitParts): Promise<boolean> {
  const began = await parts.began();
  const [revision = name] = name.split(':');
  const stated = await git(parts, [
    'log',
    '-1',
    '--format=%ct',
    '--end-of-options',
    revision === '' ? object : revision,
  ]);
  const seconds = Number(stated?.code === 0 ? stated.stdout.trim() : Number.NaN);
  if (Number.isFinite(seconds) && seconds >= Math.floor(began / 1000)) return true;
  const common = (await git(parts, ['rev-parse', '--git-common-dir']))?.stdout.trim() ?? '';
  const loose = join(resolve(parts.folder, common), 'objects', object.slice(0, 2), object.slice(2));
  const { ctimeMs } = await stat(loose).catch(() => ({ ctimeMs: 0 }));
  return ctimeMs >= began - activityLimits.evidence.clockSlack;
}

/** Undefined where git did not run to its end. */
async function git(
  { folder, environment }: GitParts,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string } | undefined> {
  const end = await gitProcess({
    program: findOwnProgram('git', { path: environment.PATH, workspace: folder }),
    args: ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never', ...args],
    cwd: folder,
    env: {
      PATH: ownPath(environment.PATH, folder),
      LC_ALL: 'C',
      HOME: '/',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
    },
    stdin: '',
    patience: activityLimits.evidence.git,
    outputBytes: evidenceLimits.sourceBytes,
  });
  return end.how === 'ended' ? { code: end.code, stdout: Buffer.from(end.stdout).toString('utf8') } : undefined;
}
