import type { Inner } from '../words/inner.ts';
import { programOfPackage } from '../words/package-name.ts';
import { isCertain, plainWord, programName, type ShellWord } from '../words/word.ts';

/*
 * No list of programs that start others is complete. So where the words of an unknown program hold the name of a dangerous one, what
 * follows is read as if it were started: `anything rm -rf x`. What is found so asks only when it is dangerous by itself.
 */

const risky = new Set(
  [
    'rm rimraf premove safe-rm shred srm wipe dd sudo doas su pkexec chmod chown chgrp find xargs sh bash dash zsh ksh env git rsync twine semantic-release release-it lerna changeset vsce ovsx jsr np heddle heddle.js bfg git-filter-repo goreleaser del-cli artisan manage.py',
    'npm pnpm yarn bun cargo gem poetry flit hatch terraform tofu terragrunt pulumi kubectl helm aws gcloud gsutil az prisma rails rake alembic psql mysql mariadb sqlite3 dropdb mongosh redis-cli hg',
  ].flatMap((names) => names.split(' ')),
);

/** Programs that are known not to start what their words name. */
const quiet = new Set(
  [
    'echo printf : true false test [ expr date basename dirname seq sleep kill exit return break continue shift set unset export local declare typeset readonly read let umask type which whereis man info help apropos hash alias unalias',
    'cat tac nl ls ll dir tree head tail wc grep egrep fgrep zgrep rg ag ack sort uniq cut paste join comm tr fold fmt sed awk gawk mawk jq yq tee diff cmp stat file du df realpath readlink md5sum sha1sum sha256sum cksum',
    'cp mv ln mkdir rmdir touch rm unlink install tar zip unzip gzip gunzip patch truncate chmod chown chgrp cd pushd popd',
    'git vi vim nvim nano emacs code less more open',
    'pip pipx apt apt-get aptitude brew dnf yum apk pacman snap choco conda mamba gem go composer rustup gh glab',
  ].flatMap((names) => names.split(' ')),
);

/** Programs that start one only when told so. */
const verbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx|x)$/,
  yarn: /^(?:exec|dlx|run|node)$/,
  bun: /^(?:x|run|exec)$/,
  docker: /^(?:run|exec|compose)$/,
  podman: /^(?:run|exec|compose|unshare)$/,
  kubectl: /^(?:exec|run)$/,
  uv: /^run$/,
  cargo: /^watch$/,
  make: /^$/,
};

/** These take texts for a shell as words. */
const takeTexts = new Set(
  'cargo cargo-watch concurrently nodemon hyperfine watchexec onchange chokidar tmux screen npx npm pnpm yarn bun nix-shell vagrant wsl heroku fly flyctl ansible salt pdsh pssh parallel-ssh docker podman nerdctl docker-compose kubectl'.split(
    ' ',
  ),
);

/** More guesses of one call are not followed. */
const mostGuesses = 12;

const tooMany: Inner = { kind: 'problem', why: 'It names more programs inside of another one than can be followed.' };

export function guessPrograms(name: string, words: readonly ShellWord[]): Inner[] {
  if (quiet.has(name)) return [];
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb !== undefined && !words.some(({ text }) => verb.test(text))) return [];
  const guesses = [
    ...(takeTexts.has(name) ? words.slice(1).flatMap(guessText) : []),
    ...guessModule(name, words),
    ...words.flatMap((word, at) => guessFrom(word, words.slice(at), at > 1 && words[at - 1]?.text === '--', at > 0)),
  ];
  return guesses.length > mostGuesses ? [...guesses.slice(0, mostGuesses), tooMany] : guesses;
}

/** `--entrypoint=rm` names a program as `--entrypoint rm` does. */
const withoutOption = (text: string): string => (/^--[\w-]+=/.test(text) ? text.slice(text.indexOf('=') + 1) : text);

function guessText(word: ShellWord): Inner[] {
  const text = withoutOption(word.text);
  return isCertain(word) && /\s/.test(text) ? [{ kind: 'text', text, of: [word], guess: true }] : [];
}

/** A dangerous program among the words, and every word after `--`. */
function guessFrom(
  word: ShellWord,
  words: readonly ShellWord[],
  isBehindDashes: boolean,
  isArgument: boolean,
): Inner[] {
  if (!isArgument || !isCertain(word)) return [];
  const text = withoutOption(word.text);
  if (!isBehindDashes && !isRisky(text)) return [];
  const isPackage = /(?:^|\/)node_modules\//.test(text);
  const program = isPackage ? programOfPackage(text) : text;
  return [{ kind: 'guess', words: program === word.text ? words : [plainWord(program), ...words.slice(1)] }];
}

/** `python -m twine upload`, in one word or two: modules are called as the programs that they bring. */
function guessModule(name: string, words: readonly ShellWord[]): Inner[] {
  if (!/^(?:python|pypy|py|uv)$/.test(name)) return [];
  const at = words.findIndex(({ text }, index) => index > 0 && /^-[a-zA-Z]*m/.test(text));
  const option = words[at];
  if (!isCertain(option)) return [];
  const attached = option.text.replace(/^-[a-zA-Z]*?m/, '');
  const module = attached === '' ? words[at + 1] : { ...option, text: attached };
  if (!isCertain(module)) return [];
  const program = plainWord(module.text.replaceAll('_', '-'));
  return [{ kind: 'guess', words: [program, ...words.slice(at + (attached === '' ? 2 : 1))] }];
}

const isRisky = (text: string): boolean => {
  const name = programName(programOfPackage(text));
  return risky.has(name) || name.startsWith('mkfs') || /(?:^|\/)node_modules\//.test(text);
};
