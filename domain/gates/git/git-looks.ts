import { isHarmlessSetting } from './git-settings.ts';
import { hasOption, readArguments } from '../shell/words/options.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import type { ShellWord } from '../shell/words/word.ts';

export function onlyReadsConfig(words: readonly ShellWord[]): boolean {
  const { options, operands } = readArguments(words);
  if (hasOption(options, { letter: 'e', long: 'edit' })) return false;
  if (hasOption(options, { long: ['get', 'get-all', 'get-regexp', 'list'] }) || hasOption(options, { letter: 'l' }))
    return true;
  return (
    /^(?:get|list)$/.test(operands[0]?.text ?? '') ||
    (operands.length === 1 && options.every(({ text }) => /^--(?:local|global|system|show-\w+)$/.test(text)))
  );
}

/** Verbs that only look, with options that are known. */
const looking = new Set(
  'status log diff show rev-parse ls-files ls-tree blame annotate describe shortlog rev-list cat-file grep merge-base name-rev for-each-ref show-ref count-objects diff-tree diff-index diff-files whatchanged version check-ignore check-attr var show-branch cherry range-diff'.split(
    ' ',
  ),
);

/** Options of those verbs that neither write a file nor start a program. Others, and abbreviations of these, are asked about. */
const knownOptions = new Set(
  [
    'all branches tags remotes glob exclude reflog merge max-count skip since since-as-filter after until before author committer grep grep-reflog all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges no-merges min-parents max-parents first-parent not ignore-missing bisect stdin cherry-mark cherry-pick left-only right-only cherry walk-reflogs boundary simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path date-order author-date-order topo-order reverse',
    'objects no-walk do-walk pretty abbrev-commit no-abbrev-commit oneline encoding expand-tabs no-expand-tabs notes no-notes relative-date date parents children left-right graph show-linear-break header count decorate decorate-refs decorate-refs-exclude clear-decorations source mailmap use-mailmap no-mailmap log-size follow full-diff format',
    'patch no-patch unified raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram anchored diff-algorithm stat compact-summary numstat shortstat dirstat cumulative summary patch-with-stat color no-color color-moved no-color-moved color-moved-ws word-diff word-diff-regex color-words no-renames rename-empty no-rename-empty check ws-error-highlight full-index binary abbrev break-rewrites find-renames find-copies find-copies-harder irreversible-delete diff-filter pickaxe-all pickaxe-regex relative no-relative text ignore-cr-at-eol',
    'ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines inter-hunk-context function-context exit-code quiet no-ext-diff no-textconv ignore-submodules submodule src-prefix dst-prefix no-prefix default-prefix line-prefix name-only name-status cached staged merge-base no-index cc combined-all-paths diff-merges no-diff-merges remerge-diff root pickaxe',
    'short branch show-stash porcelain long verbose untracked-files ignored column no-column ahead-behind no-ahead-behind renames no-optional-locks deleted modified others stage unmerged killed exclude-standard exclude-per-directory directory no-empty-directory error-unmatch full-name recurse-submodules eol deduplicate',
    'git-dir git-common-dir show-toplevel show-prefix show-cdup is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository verify symbolic-full-name abbrev-ref absolute-git-dir git-path path-format symbolic default local-env-vars revs-only no-revs flags no-flags show-object-format show-superproject-working-tree',
    'porcelain line-porcelain incremental show-name show-number show-email root show-stats score-debug minimal ignore-rev contains points-at no-contains merged no-merged sort shell exact-match first-parent candidates debug always dirty broken match numbered email group heads dereference hash',
    'batch batch-check batch-all-objects buffer unordered follow-symlinks allow-unknown-type untracked no-exclude-standard max-depth recursive no-recursive line-number files-with-matches files-without-match only-matching null count break heading show-function after-context before-context context threads and or not all-match word-regexp invert-match full-name',
    'is-ancestor independent octopus fork-point refs name-rev undefined all non-matching human-readable list more no-name sha1-name topics current creation-factor no-dual-color left-only right-only end-of-options build-options hash-object cruft',
  ].flatMap((names) => names.split(' ')),
);

function hasKnownOptions(verb: string, words: readonly ShellWord[]): boolean {
  const { options } = readArguments(words);
  return options.every(({ text }) => {
    if (text.startsWith('--')) return knownOptions.has(text.slice(2).split('=')[0] ?? '');
    // `-O` of `git grep` starts a pager, also in a cluster; behind these letters stands a text to look for.
    const isText = verb === 'grep' ? /^-[efmABC]/.test(text) : /^-[SGL]/.test(text);
    return isText || !text.includes('O');
  });
}

/** Verbs that look when they are used so. `words` begin with the verb. */
const lookingSo: Readonly<Record<string, (words: readonly ShellWord[]) => boolean>> = {
  branch: lists(
    /^(?:-[arvl]+|--(?:all|remotes|list|show-current|verbose|contains|no-contains|merged|no-merged|points-at|format|sort|column)(?:=.*)?)$/,
    /^--(?:list|contains|no-contains|merged|no-merged|points-at)/,
  ),
  tag: lists(
    /^(?:-[ln]\d*|--(?:list|contains|no-contains|merged|no-merged|sort|format|points-at|column)(?:=.*)?)$/,
    /^(?:-[ln]|--(?:list|contains|no-contains|merged|no-merged|points-at))/,
  ),
  remote: looksAtRemote,
  stash: (words) => /^(?:list|show)$/.test(words[1]?.text ?? '') && hasKnownOptions('stash', words.slice(1)),
  worktree: (words) =>
    words[1]?.text === 'list' && words.slice(2).every(({ text }) => /^(?:-v|-z|--porcelain|--verbose)$/.test(text)),
  reflog: (words) =>
    (words.length === 1 || /^(?:show$|-|HEAD)/.test(words[1]?.text ?? '')) && hasKnownOptions('reflog', words),
  submodule: (words) => words.length === 1 || (words.length === 2 && words[1]?.text === 'status'),
  'symbolic-ref': (words) => {
    const { operands, options } = readArguments(words);
    return operands.length === 1 && options.every(({ text }) => /^(?:-q|--quiet|--short|--recurse)$/.test(text));
  },
  config: onlyReadsConfig,
};

/** Without an option that lists, a name would be created. */
function lists(option: RegExp, listing: RegExp): (words: readonly ShellWord[]) => boolean {
  return (words) => {
    const { options, operands } = readArguments(words);
    return (
      options.every(({ text }) => option.test(text)) &&
      (operands.length === 0 || options.some(({ text }) => listing.test(text)))
    );
  };
}

/** `git remote -v update` fetches; `show` asks the other side, unless it is told not to. */
function looksAtRemote(words: readonly ShellWord[]): boolean {
  const rest = words.slice(1).filter(({ text }) => !/^(?:-v|--verbose)$/.test(text));
  const [verb, ...names] = rest;
  if (verb === undefined) return true;
  if (verb.text === 'get-url') return names.every(({ text }) => /^(?:--push|--all|[^-].*)$/.test(text));
  return verb.text === 'show' && (names.length === 0 || names[0]?.text === '-n');
}

/** Options before the verb that lead to no other repository and to no other program. */
const harmlessBefore =
  /^(?:-P|--no-pager|--no-optional-locks|--no-replace-objects|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs)$/;

/** Such a call of git changes nothing, here or elsewhere. */
export function onlyLooks(words: readonly ShellWord[]): boolean {
  const { verb, words: rest, config, options, isElsewhere } = readGit(words);
  if (verb === undefined)
    return options.every(({ text }) => /^--?(?:version|help|v|h|exec-path|html-path)$/.test(text));
  if (!config.every(isHarmlessSetting) || isElsewhere || !options.every(({ text }) => harmlessBefore.test(text)))
    return false;
  if (rest.some(({ kind, maybe, text }) => (kind !== 'plain' || maybe) && !/^[\w./]/.test(text))) return false;
  if (looking.has(verb)) return hasKnownOptions(verb, rest);
  return Object.hasOwn(lookingSo, verb) && lookingSo[verb]?.(rest) === true;
}
