import type { Inner } from '../words/inner.ts';
import { programOfPackage } from '../words/package-name.ts';
import { isCertain, programName, type Word } from '../words/word.ts';

/*
 * No list of programs that start others is complete. So where the words of an unknown program hold the name of a dangerous one, what
 * follows is read as if it were started: `anything rm -rf x`. What is found so asks only when it is dangerous by itself.
 */

const risky = new Set(
  'rm rimraf shred srm wipe dd sudo doas su pkexec chmod chown chgrp find xargs sh bash dash zsh ksh env git rsync twine semantic-release release-it lerna changeset vsce ovsx jsr np heddle heddle.js bfg git-filter-repo goreleaser del-cli artisan manage.py'.split(
    ' ',
  ),
);

/** Programs that are known not to start what their words name. */
const quiet = new Set(
  [
    'echo printf : true false test [ expr date basename dirname seq sleep kill exit return break continue shift set unset export local declare typeset readonly read let umask type which whereis man info help apropos hash alias unalias',
    'cat tac nl ls ll dir tree head tail wc grep egrep fgrep zgrep rg ag ack sort uniq cut paste join comm tr fold fmt sed awk gawk mawk jq yq tee diff cmp stat file du df realpath readlink md5sum sha1sum sha256sum cksum',
    'cp mv ln mkdir rmdir touch rm unlink install tar zip unzip gzip gunzip patch truncate chmod chown chgrp cd pushd popd',
    'git vi vim nvim nano emacs code less more open',
    'pip pipx apt apt-get aptitude brew dnf yum apk pacman snap choco conda mamba cargo gem go composer rustup',
  ].flatMap((names) => names.split(' ')),
);

/** Programs that start one only when told so. */
const verbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx|x)$/,
  yarn: /^(?:exec|dlx|run|node)$/,
  bun: /^(?:x|run)$/,
  docker: /^(?:run|exec|compose)$/,
  podman: /^(?:run|exec|compose)$/,
  kubectl: /^(?:exec|run)$/,
  uv: /^run$/,
  make: /^$/,
};

/** These take texts for a shell as words. */
const takeTexts = new Set(
  'concurrently nodemon hyperfine watchexec onchange chokidar tmux screen npx npm pnpm yarn nix-shell vagrant wsl'.split(
    ' ',
  ),
);

/** More of them make no new sense. */
const mostGuesses = 4;

export function guessPrograms(name: string, words: readonly Word[]): Inner[] {
  if (quiet.has(name)) return [];
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb !== undefined && !words.some(({ text }) => verb.test(text))) return [];
  const texts = takeTexts.has(name) ? words.slice(1).filter((word) => isCertain(word) && /\s/.test(word.text)) : [];
  const starts = words.flatMap((word, at) => (at > 0 && isCertain(word) && isRisky(word.text) ? [at] : []));
  return [
    ...texts.slice(0, mostGuesses).map((word): Inner => ({ kind: 'text', text: word.text, of: [word], guess: true })),
    ...starts.slice(0, mostGuesses).map((at): Inner => ({ kind: 'guess', words: words.slice(at) })),
  ];
}

const isRisky = (text: string): boolean => {
  const name = programName(programOfPackage(text));
  return risky.has(name) || name.startsWith('mkfs');
};
