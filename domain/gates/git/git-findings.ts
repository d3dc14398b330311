import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import { configDanger, gitDanger } from './git-history.ts';
import { onlyReadsConfig } from './git-looks.ts';
import { isHarmlessSetting } from './git-settings.ts';
import { refuseWrite } from '../findings/places.ts';
import { hasOption, readArguments } from '../shell/words/options.ts';
import { readGit, runsCode, type GitCall } from '../shell/unwrap/read-git.ts';
import type { ShellWord } from '../shell/words/word.ts';

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
export function gitFindings(words: readonly ShellWord[], facts: { walled: boolean }): GateFinding[] {
  const call = readGit(words);
  if (call.isOpen) return [ask('unclear', 'What `git` is told to do is only known when it runs.')];
  return [...configFindings(call), ...verbFindings(call, facts)];
}

/** Config that makes git run programs or send something else, for this call or from now on. */
function configFindings({ config, options }: GitCall): GateFinding[] {
  const given = config.filter((one) => !isHarmlessSetting(one));
  const sent = given.map(({ key }) => configDanger(key)).find((danger) => danger !== undefined);
  if (sent !== undefined) return [ask(sent.danger, sent.why)];
  const key = given.find((one) => runsCode(one.key))?.key;
  if (key !== undefined) return [ask('code', `\`git\` is told by ${quoteWord(key)} which code to run.`)];
  const [other] = given;
  if (other !== undefined)
    return [ask('code', `\`git\` is given the setting ${quoteWord(other.key)}, which is not known to do no harm.`)];
  return options.some(({ text }) => /^--exec-path=/.test(text))
    ? [ask('code', '`git` is told to take its programs from another folder.')]
    : [];
}

function verbFindings({ verb, words }: GitCall, facts: { walled: boolean }): GateFinding[] {
  if (verb === undefined) return [];
  if (!verbs.has(verb))
    return [ask('unclear', `\`git\` has no command ${quoteWord(verb)}, so it is an alias for something else.`)];
  const danger = gitDanger(verb, words);
  return [
    ...(danger === undefined ? [] : [ask(danger.danger, danger.why)]),
    ...codeFindings(verb, words),
    ...outsideFindings(verb, words, facts),
  ];
}

function codeFindings(verb: string, words: readonly ShellWord[]): GateFinding[] {
  const { options, operands } = readArguments(words);
  const option = Object.hasOwn(programOptions, verb) ? programOptions[verb] : undefined;
  const namesProgram = option !== undefined && hasOption(options, option);
  // `ext::sh -c ...` is an address whose transport is a program.
  const isProgram = words.some(({ text }) => /^(?:ext|fd)::/.test(text));
  const edits =
    verb === 'config' && (hasOption(options, { letter: 'e', long: 'edit' }) || operands[0]?.text === 'edit');
  return namesProgram || isProgram || edits ? [ask('code', `\`git ${verb}\` is told which program to run.`)] : [];
}

/** The findings about changes of git beyond the workspace. */
function outsideFindings(verb: string, words: readonly ShellWord[], { walled }: { walled: boolean }): GateFinding[] {
  const { options } = readArguments(words);
  const isUsers = verb === 'config' && hasOption(options, { long: ['global', 'system'] }) && !onlyReadsConfig(words);
  const isUnsafe = verb === 'apply' && hasOption(options, { long: 'unsafe-paths' });
  if (!isUsers && !isUnsafe) return [];
  if (walled && isUsers) return [refuseWrite('`git config`', 'your own settings')];
  return [ask('outside', `\`git ${verb}\` changes ${isUsers ? 'the config' : 'files'} outside the workspace.`)];
}
