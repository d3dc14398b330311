import { hasOption, readArguments, type Arguments, type OptionSpec } from '../shell/words/options.ts';
import { isCertain, mayBeOption, type ShellWord } from '../shell/words/word.ts';

/** An effect of a verb of git that cannot be taken back. */
export interface GitDanger {
  danger: 'history' | 'delete' | 'unclear';
  why: string;
}

type GitCall = Arguments & { words: readonly ShellWord[] };
type Rule = (given: GitCall) => string | undefined;

const letters =
  (why: string, letter: string, ...long: string[]): Rule =>
  ({ options }) =>
    Array.from(letter).some((one) => hasOption(options, { letter: one })) || hasOption(options, { long })
      ? why
      : undefined;

const overwrites = 'overwrites or deletes what others may already have';
const discards = 'throws away changes that were never committed';
const moves = 'moves a branch away from commits that are on it';

const push: Rule = ({ options, operands }) => {
  const isForced =
    hasOption(options, { letter: 'f', long: ['force', 'force-with-lease', 'mirror', 'delete', 'prune'] }) ||
    hasOption(options, { letter: 'd' });
  return isForced || operands.some(({ text }) => /^[+:]./.test(text)) ? overwrites : undefined;
};

const reset: Rule = ({ options, operands }) => {
  if (hasOption(options, { long: ['hard', 'merge', 'keep'] })) return discards;
  const isBack = operands.some(({ text }) => /[~^]|@\{|^[0-9a-f]{7,40}$|^(?:origin|upstream|refs)\//.test(text));
  const isMove =
    hasOption(options, { long: ['soft', 'mixed'] }) && operands.some(({ text }) => !/^(?:HEAD|@)$/.test(text));
  return isBack || isMove ? moves : undefined;
};

const rebase: Rule = ({ options }) =>
  hasOption(options, { long: ['abort', 'continue', 'quit', 'show-current-patch'] }) &&
  options.every(({ text }) => /^--(?:ab|con|q|sh)/.test(text))
    ? undefined
    : 'rewrites commits';

/** `git checkout NAME` switches; with paths it overwrites files. A name that looks like a path is one. */
const checkout: Rule = ({ options, operands, words }) => {
  if (hasOption(options, { letter: 'f', long: ['force', 'ours', 'theirs', 'pathspec-from-file'] })) return discards;
  if (hasOption(options, { letter: 'B' })) return moves;
  if (hasOption(options, { letter: 'b', long: ['orphan', 'track'] }) || hasOption(options, { letter: 't' }))
    return undefined;
  const dashes = words.findIndex(({ text }) => text === '--');
  const hasPaths = dashes !== -1 && dashes < words.length - 1;
  return hasPaths || operands.length > 1 || operands.some(({ text }) => looksLikePath(text)) ? discards : undefined;
};

const looksLikePath = (text: string): boolean =>
  /^(?:\.{1,2}(?:\/|$)|:|\/)|[*?[\]]|\/$|\.[a-z][a-z0-9]{0,4}$/i.test(text);

const restore: Rule = ({ options }) => {
  const onlyIndex =
    hasOption(options, { letter: 'S', long: 'staged' }) && !hasOption(options, { letter: 'W', long: 'worktree' });
  return onlyIndex ? undefined : discards;
};

const remove: Rule = ({ options }) => {
  const isKept = hasOption(options, { long: 'cached' }) || hasOption(options, { letter: 'n', long: 'dry-run' });
  const isWide = hasOption(options, { letter: 'r' }) || hasOption(options, { letter: 'f', long: 'force' });
  return isWide && !isKept ? 'deletes files recursively or by force' : undefined;
};

const clean: Rule = ({ options }) =>
  hasOption(options, { letter: 'n', long: 'dry-run' }) ? undefined : 'deletes files that were never committed';

const verb =
  (why: string, ...verbs: string[]): Rule =>
  ({ operands }) =>
    verbs.includes(operands[0]?.text ?? '') ? why : undefined;

const always =
  (why: string): Rule =>
  () =>
    why;

const history: Readonly<Record<string, Rule>> = {
  ...{ push, reset, rebase, checkout, restore },
  pull: ({ options }) => {
    const given = options.filter(({ text }) => text !== '--rebase=false');
    return hasOption(given, { letter: 'r', long: ['rebase', 'force'] }) || hasOption(given, { letter: 'f' })
      ? 'rewrites commits'
      : undefined;
  },
  fetch: ({ options, operands }) =>
    hasOption(options, { letter: 'f', long: ['force', 'update-head-ok'] }) ||
    operands.some(({ text }) => text.startsWith('+'))
      ? moves
      : undefined,
  commit: letters('replaces the last commit', '', 'amend'),
  branch: letters('deletes or moves a branch with commits that may be on no other', 'DMCf', 'force'),
  tag: letters('deletes or moves a tag', 'df', 'delete', 'force'),
  switch: letters(discards, 'fC', 'force', 'force-create', 'discard-changes'),
  stash: verb('throws away changes that are kept aside', 'drop', 'clear'),
  reflog: verb('deletes the way back to older commits', 'expire', 'delete'),
  'symbolic-ref': ({ options, operands }) =>
    operands.length > 1 || hasOption(options, { letter: 'd', long: 'delete' }) ? moves : undefined,
  gc: ({ options }) => (hasOption(options, { long: 'prune' }) ? 'deletes the way back to older commits' : undefined),
  'read-tree': ({ options }) => (hasOption(options, { letter: 'u', long: 'reset' }) ? discards : undefined),
  'checkout-index': letters(discards, 'f', 'force'),
  notes: verb('deletes notes', 'remove', 'prune'),
  remote: letters('makes each push to it overwrite and delete what others may already have', '', 'mirror'),
  lfs: verb('rewrites commits', 'migrate'),
  'filter-branch': always('rewrites the whole history'),
  'filter-repo': always('rewrites the whole history'),
  'update-ref': always(moves),
  'fast-import': always('rewrites history from a stream'),
  replace: always('replaces commits by others'),
  prune: always('deletes the way back to older commits'),
};

const deleting: Readonly<Record<string, Rule>> = {
  ...{ rm: remove, clean },
  worktree: verb('deletes a folder with everything in it', 'remove'),
  submodule: verb('deletes a folder with everything in it', 'deinit'),
};

/** Options that take a value, so that their values are no operands. */
const specs: Readonly<Record<string, OptionSpec>> = {
  push: { values: 'o', long: ['push-option', 'repo', 'receive-pack', 'exec', 'recurse-submodules'] },
  commit: {
    values: 'mFCct',
    long: [
      'message',
      'file',
      'author',
      'date',
      'reuse-message',
      'reedit-message',
      'template',
      'fixup',
      'squash',
      'trailer',
    ],
  },
  tag: { values: 'mFu', long: ['message', 'file', 'local-user', 'sort', 'format', 'contains', 'points-at'] },
  stash: { values: 'm', long: ['message'] },
  branch: {
    values: 'u',
    long: ['set-upstream-to', 'sort', 'format', 'contains', 'no-contains', 'merged', 'points-at'],
  },
  reset: { long: ['pathspec-from-file'] },
  restore: { values: 's', long: ['source', 'pathspec-from-file', 'conflict'] },
  clean: { values: 'e', long: ['exclude'] },
  fetch: { values: 'jo', long: ['depth', 'deepen', 'upload-pack', 'refmap', 'server-option'] },
  pull: { values: 'sXjo', long: ['depth', 'strategy', 'strategy-option', 'upload-pack'] },
};

/** Settings of a remote, of pushes and of branches say what a push overwrites: they count as its options. */
export const configDanger = (key: string): GitDanger | undefined =>
  /^(?:remote|push|branch)\./.test(key)
    ? { danger: 'history', why: `\`git\` is told by \`${key.slice(0, shownKey)}\` what a push sends and overwrites.` }
    : undefined;

/** Characters of a setting's name in a sentence. */
const shownKey = 60;

/** History that is rewritten, changes that are lost. `words` begin with the verb. */
export function gitDanger(name: string, words: readonly ShellWord[]): GitDanger | undefined {
  const rule = Object.hasOwn(history, name)
    ? history[name]
    : Object.hasOwn(deleting, name)
      ? deleting[name]
      : undefined;
  if (rule === undefined) return undefined;
  const given = { ...readArguments(words, Object.hasOwn(specs, name) ? specs[name] : {}), words };
  const why = rule(given);
  if (why !== undefined)
    return { danger: Object.hasOwn(deleting, name) ? 'delete' : 'history', why: `\`git ${name}\` ${why}.` };
  const isOpen = [...given.options, ...given.operands].some((word) => !isCertain(word) && mayBeOption(word));
  return isOpen
    ? { danger: 'unclear', why: `What \`git ${name}\` is told to do is only known when it runs.` }
    : undefined;
}
