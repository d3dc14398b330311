import { ask, quote, type Finding } from './finding.ts';
import { gitDanger } from './git-history.ts';
import { hasOption, readArguments } from './shell/options.ts';
import { readGit, runsCode, type GitCall } from './shell/read-git.ts';
import type { Word } from './shell/word.ts';

/** Verbs that git itself has; another one is an alias, which may run anything. */
const verbs = new Set(
  [
    'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential',
    'describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep gui hash-object help hook index-pack init interpret-trailers',
    'lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push',
    'range-diff read-tree rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref',
    'tag unpack-file unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree',
  ].flatMap((names) => names.split(' ')),
);

/** Options by which a verb is told which program to run. */
const programOptions: Readonly<Record<string, { letter?: string; long: readonly string[] }>> = {
  push: { long: ['receive-pack', 'exec'] },
  fetch: { long: ['upload-pack'] },
  pull: { long: ['upload-pack'] },
  clone: { letter: 'u', long: ['upload-pack', 'template'] },
  init: { long: ['template'] },
  'ls-remote': { long: ['upload-pack', 'exec'] },
  'fetch-pack': { long: ['upload-pack', 'exec'] },
  archive: { long: ['exec'] },
  rebase: { letter: 'x', long: ['exec'] },
  difftool: { letter: 'x', long: ['extcmd'] },
  grep: { letter: 'O', long: ['open-files-in-pager'] },
  'send-email': { long: ['smtp-server', 'sendmail-cmd', 'to-cmd', 'cc-cmd', 'header-cmd'] },
};

/** `words` begin with git. */
export function gitFindings(words: readonly Word[]): Finding[] {
  const call = readGit(words);
  if (call.isOpen) return [ask('unclear', 'What `git` is told to do is only known when it runs.')];
  return [...configFindings(call), ...verbFindings(call)];
}

/** Config that makes git run programs, for this call or from now on. */
function configFindings({ config, options }: GitCall): Finding[] {
  const key = config.find((one) => runsCode(one.key))?.key;
  if (key !== undefined) return [ask('code', `\`git\` is told by ${quote(key)} which code to run.`)];
  return options.some(({ text }) => /^--exec-path=/.test(text))
    ? [ask('code', '`git` is told to take its programs from another folder.')]
    : [];
}

function verbFindings({ verb, words }: GitCall): Finding[] {
  if (verb === undefined) return [];
  if (!verbs.has(verb))
    return [ask('unclear', `\`git\` has no command ${quote(verb)}, so it is an alias for something else.`)];
  const danger = gitDanger(verb, words);
  return [
    ...(danger === undefined ? [] : [ask(danger.danger, danger.why)]),
    ...codeFindings(verb, words),
    ...outsideFindings(verb, words),
  ];
}

function codeFindings(verb: string, words: readonly Word[]): Finding[] {
  const { options } = readArguments(words);
  const option = Object.hasOwn(programOptions, verb) ? programOptions[verb] : undefined;
  const isTold = option !== undefined && hasOption(options, option);
  // `ext::sh -c ...` is an address whose transport is a program.
  const isProgram = words.some(({ text }) => /^(?:ext|fd)::/.test(text));
  const edits = verb === 'config' && hasOption(options, { letter: 'e', long: 'edit' });
  return isTold || isProgram || edits ? [ask('code', `\`git ${verb}\` is told which program to run.`)] : [];
}

/** What git changes beyond the workspace. */
function outsideFindings(verb: string, words: readonly Word[]): Finding[] {
  const { options } = readArguments(words);
  const isUsers = verb === 'config' && hasOption(options, { long: ['global', 'system'] }) && !onlyReadsConfig(words);
  const isUnsafe = verb === 'apply' && hasOption(options, { long: 'unsafe-paths' });
  if (!isUsers && !isUnsafe) return [];
  return [ask('outside', `\`git ${verb}\` changes ${isUsers ? 'the config' : 'files'} outside the workspace.`)];
}

function onlyReadsConfig(words: readonly Word[]): boolean {
  const { options, operands } = readArguments(words);
  if (hasOption(options, { letter: 'e', long: 'edit' })) return false;
  if (hasOption(options, { long: ['get', 'get-all', 'get-regexp', 'list'] }) || hasOption(options, { letter: 'l' }))
    return true;
  return (
    /^(?:get|list)$/.test(operands[0]?.text ?? '') ||
    (operands.length === 1 && options.every(({ text }) => /^--(?:local|global|system|show-\w+)$/.test(text)))
  );
}

/** Verbs that only look, unless one of these words stands behind them. */
const looking = new Set(
  'status log diff show rev-parse ls-files ls-tree blame annotate describe shortlog rev-list cat-file grep merge-base name-rev for-each-ref show-ref count-objects diff-tree diff-index diff-files whatchanged version help check-ignore check-attr var show-branch cherry range-diff'.split(
    ' ',
  ),
);
const unless = /^--(?:out|ext-diff|textconv|open-files)|^-O/;

/** Verbs that look when they are used so. */
const lookingSo: Readonly<Record<string, (words: readonly Word[]) => boolean>> = {
  branch: lists(
    /^(?:-[arvl]+|--(?:all|remotes|list|show-current|verbose|contains|merged|no-merged|format|sort|column)(?:=.*)?)$/,
  ),
  tag: lists(/^(?:-[ln]\d*|--(?:list|contains|merged|sort|format|points-at|column)(?:=.*)?)$/),
  remote: (words) => words.length === 1 || /^(?:-v|--verbose|show|get-url)$/.test(words[1]?.text ?? ''),
  stash: (words) => /^(?:list|show)$/.test(words[1]?.text ?? ''),
  worktree: (words) => words[1]?.text === 'list',
  reflog: (words) => words.length === 1 || /^(?:show|-|HEAD)/.test(words[1]?.text ?? ''),
  submodule: (words) => words.length === 1 || /^(?:status|summary)$/.test(words[1]?.text ?? ''),
  'symbolic-ref': (words) =>
    readArguments(words).operands.length === 1 && words.every(({ text }) => !/^(?:-d|--del)/.test(text)),
  config: onlyReadsConfig,
};

/** Without an option that lists, a name would be created. */
function lists(option: RegExp): (words: readonly Word[]) => boolean {
  return (words) => {
    const { options, operands } = readArguments(words);
    return options.every(({ text }) => option.test(text)) && (operands.length === 0 || options.length > 0);
  };
}

/** Whether a call of git changes nothing, here or elsewhere. */
export function onlyLooks(words: readonly Word[]): boolean {
  const { verb, words: rest, config, options } = readGit(words);
  if (verb === undefined)
    return options.every(({ text }) => /^--?(?:version|help|v|h|exec-path|html-path)$/.test(text));
  if (config.length > 0 || rest.some(({ text }) => unless.test(text))) return false;
  return looking.has(verb) || (Object.hasOwn(lookingSo, verb) && lookingSo[verb]?.(rest) === true);
}
