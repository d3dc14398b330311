import type { GitChanges, RepositoryState } from '../conversation/effect.ts';

const changes: Readonly<Record<string, GitChanges>> = {
  ...named('nothing', 'blame cat-file cherry count-objects describe diff for-each-ref grep log ls-files ls-tree'),
  ...named('nothing', 'merge-base name-rev range-diff rev-list rev-parse shortlog show show-branch show-ref status'),
  ...named('marks', 'add branch stage tag update-index update-ref'),
  ...named('head', 'commit'),
};

function named(what: GitChanges, names: string): Record<string, GitChanges> {
  return Object.fromEntries(names.split(' ').map((name) => [name, what]));
}

/** Options before the subcommand that take a value of their own. */
const valued = new Set(['-c', '--config-env', '--super-prefix', '--list-cmds', '--attr-source']);

/** Options that lead to another repository or to other programs. */
const elsewhere = /^(?:-C|--git-dir|--work-tree|--namespace|--exec-path|--bare)(?:=|$)/;

/** Returns the index of the subcommand in the arguments of git; -1 when there is none, or it works elsewhere. */
export function findSubcommand(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (elsewhere.test(word)) return -1;
    if (valued.has(word)) at += 1;
    else if (!word.startsWith('-')) return at;
  }
  return -1;
}

export function readGitChanges(args: readonly string[]): GitChanges {
  const name = args[findSubcommand(args)] ?? '';
  return Object.hasOwn(changes, name) ? (changes[name] ?? 'more') : 'more';
}

/** Decides if a git command took effect, from the repository's state before and now. A command that only reads can always run again. */
export function settleGit(
  what: GitChanges,
  before: RepositoryState | null,
  now: RepositoryState | null,
): 'done' | 'not-done' | 'unclear' {
  if (what === 'nothing') return 'not-done';
  if (what === 'more' || before === null || now === null) return 'unclear';
  if (what === 'marks') return isSame(before, now) ? 'not-done' : 'unclear';
  if (now.head === before.head) return 'not-done';
  return now.parent === before.head ? 'done' : 'unclear';
}

const isSame = (a: RepositoryState, b: RepositoryState): boolean =>
  a.head === b.head && a.refs === b.refs && a.index === b.index;

/** Tells the model what changed in the repository. */
export function formatMoved(before: RepositoryState | null, now: RepositoryState | null): string {
  if (before === null || now === null) return 'There is no repository to compare with.';
  const moved = [
    ...(before.head === now.head ? [] : [`HEAD moved from ${formatHash(before.head)} to ${formatHash(now.head)}`]),
    ...(before.refs === now.refs ? [] : ['refs changed']),
    ...(before.index === now.index ? [] : ['the index changed']),
  ];
  return moved.length === 0 ? 'HEAD, refs and the index are unchanged.' : `${moved.join(', ')}.`;
}

const formatHash = (hash: string | null): string => hash?.slice(0, 12) ?? 'nothing';
