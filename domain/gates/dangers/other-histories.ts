import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ShellWord } from '../shell/words/word.ts';
import { isInTable, onlyShows, type VerbTable } from './find-verb.ts';

const force = /^(?:-[a-zA-Z]*f|--f)/;

/** Commands that rewrite history, or throw changes away, in version control other than git's own commands. */
const rewrites: VerbTable = {
  bfg: [''],
  'bfg.jar': [''],
  'git-filter-repo': [''],
  'git-filter-branch': [''],
  hg: [
    ...['strip', 'histedit', 'rebase', 'rollback', 'prune', 'obliterate', 'qdelete', 'uncommit', 'unamend', 'fold'],
    ...['amend', 'absorb', 'split', 'debugstrip'],
    { verbs: 'push', option: force },
    { verbs: 'commit', option: /^--am/ },
    { verbs: 'phase', option: force },
    { verbs: 'update', option: /^(?:-[a-zA-Z]*C|--cl)/ },
    { verbs: 'up', option: /^(?:-[a-zA-Z]*C|--cl)/ },
    { verbs: 'checkout', option: /^(?:-[a-zA-Z]*C|--cl)/ },
    { verbs: 'revert', option: /^(?:-[a-zA-Z]*[Ca]|--no-b|--a)/ },
  ],
  sl: [
    'hide',
    'strip',
    'undo',
    'uncommit',
    { verbs: 'push', option: force },
    { verbs: 'goto', option: /^(?:-C|--cl)/ },
  ],
  svn: ['revert', { verbs: 'propset', option: /^--revprop/ }],
  jj: [
    'abandon',
    'restore',
    'op restore',
    'op abandon',
    'operation restore',
    'operation abandon',
    'git push',
    'util gc',
  ],
  bzr: ['uncommit', 'revert', { verbs: 'push', option: /^--o/ }],
  brz: ['uncommit', 'revert', { verbs: 'push', option: /^--o/ }],
  fossil: ['purge', 'revert', 'scrub'],
  darcs: ['obliterate', 'unpull', 'unrecord', 'amend', 'revert'],
  p4: ['obliterate', 'revert'],
  cvs: [{ verbs: 'admin', option: /^-o/ }],
  pijul: ['unrecord', 'reset'],
  'git-lfs': ['migrate'],
  gh: [
    { verbs: 'repo sync', option: /^--force$/ },
    { verbs: 'pr update-branch', option: /^--rebase$/ },
  ],
  gt: [{ verbs: 'submit', option: force }, 'delete'],
};

const deletes: VerbTable = {
  hg: ['purge', 'clean', { verbs: 'remove', option: force }, { verbs: 'rm', option: force }],
  sl: ['purge', 'clean', { verbs: 'remove', option: force }],
  svn: [
    ...['delete', 'del', 'remove', 'rm'].map((verbs) => ({ verbs, option: /^(?:--force|[a-z+]+:\/\/)/ })),
    { verbs: 'cleanup', option: /^--(?:remove-unversioned|remove-ignored)/ },
  ],
  svnadmin: [{ verbs: '', option: /^(?:rmtxns|rmlocks)$/ }],
  p4: ['delete', 'clean'],
};

export function otherHistories(name: string, words: readonly ShellWord[]): GateFinding[] {
  if (onlyShows(words, /^(?:--dry-run|--help|-h)$/)) return [];
  const other = behindInterpreter(name, words);
  if (other !== undefined) return otherHistories(other, words);
  return [
    ...(isInTable(name, words, rewrites)
      ? [ask('history', `${quoteWord(name)} rewrites history, or throws away changes that are nowhere else.`)]
      : []),
    ...(isInTable(name, words, deletes)
      ? [ask('delete', `${quoteWord(name)} deletes files, some of them by force.`)]
      : []),
  ];
}

/** `java -jar bfg-1.14.0.jar`, `python -m git_filter_repo`. */
function behindInterpreter(name: string, words: readonly ShellWord[]): string | undefined {
  if (name === 'java' && words.some(({ text }) => /(?:^|\/)bfg[\w.-]*\.jar$/i.test(text))) return 'bfg';
  return name === 'python' && words.some(({ text }) => text === 'git_filter_repo') ? 'git-filter-repo' : undefined;
}
