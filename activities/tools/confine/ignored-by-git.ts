import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnored, readIgnorePatterns, type IgnorePattern } from '../../../domain/text/ignore-patterns.ts';
import { activityLimits } from '../../limits/activity-limits.ts';

/** A link as `.gitignore` is not followed by git either, and a pipe does not hold us. */
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The rules in the `.gitignore` of a folder and of those above it. */
export class IgnoreRules {
  readonly #own: readonly IgnorePattern[];
  /** The folder, from where all paths begin: empty, or ending in a slash. */
  readonly #base: string;
  readonly #above: IgnoreRules | undefined;

  private constructor(own: readonly IgnorePattern[], base: string, above: IgnoreRules | undefined) {
    this.#own = own;
    this.#base = base;
    this.#above = above;
  }

  /** `folder`: where it is on the disk; `base`: its path, as `ignores` is asked about it. */
  static async read(folder: string, base: string, above?: IgnoreRules): Promise<IgnoreRules> {
    return new IgnoreRules(await readPatterns(join(folder, '.gitignore')), base, above);
  }

  /** The rules of all folders from the workspace down to this one. Undefined where the folder is ignored itself: it was asked for by name. */
  static async readDown(workspace: string, path: string): Promise<IgnoreRules | undefined> {
    let rules = await IgnoreRules.read(workspace, '');
    let base = '';
    for (const part of path === '.' ? [] : path.split('/')) {
      if (rules.ignores(base + part, true)) return undefined;
      base += `${part}/`;
      rules = await IgnoreRules.read(join(workspace, base), base, rules);
    }
    return rules;
  }

  /** The nearest `.gitignore` that says something decides. */
  ignores(path: string, isFolder: boolean): boolean {
    const own = isIgnored(this.#own, path.slice(this.#base.length), isFolder);
    return own ?? this.#above?.ignores(path, isFolder) ?? false;
  }
}

/** None where there is no file that git would read. */
async function readPatterns(path: string): Promise<IgnorePattern[]> {
  const file = await open(path, readFlags).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > activityLimits.tools.ignoreBytes) return [];
    return readIgnorePatterns(await file.readFile('utf8'));
  } catch {
    return [];
  } finally {
    await file.close();
  }
}
