import { ask, quote, type Finding } from './finding.ts';
import { hasVerbs } from './programs/verbs.ts';
import { hasOption, readArguments } from './shell/options.ts';
import { mayBeOption, type Word } from './shell/word.ts';

/** Programs that delete for good whatever they are told; a file that was overwritten by `truncate` or `>` is in the snapshot. */
const always = new Set('rimraf shred srm wipe scrub del-cli rmrf'.split(' '));

/** Options with which a program deletes what it was not named. */
const options: Readonly<Record<string, RegExp>> = {
  rsync: /^--(?:del|remove-s)/,
  tar: /^--remove-f/,
  zip: /^(?:-[a-zA-Z]*m|--move)/,
  robocopy: /^\/(?:mir|purge)$/i,
};

/** Commands of programs that delete together with what is inside. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  docker: [
    'system prune',
    'volume rm',
    'volume prune',
    'container prune',
    'image prune',
    'network prune',
    'builder prune',
  ],
  podman: ['system prune', 'system reset', 'volume rm', 'volume prune', 'container prune', 'image prune'],
  kubectl: ['delete', 'drain'],
  helm: ['uninstall', 'delete'],
  terraform: ['destroy'],
  tofu: ['destroy'],
  pulumi: ['destroy'],
  vagrant: ['destroy'],
  aws: ['s3 rb', '* delete-bucket', '* delete-table', '* terminate-instances'],
  heroku: ['apps:destroy', 'pg:reset'],
  rclone: ['delete', 'purge', 'sync'],
  gh: ['repo delete'],
};

/** Commands that do so only with an option. */
const verbsWithOption: Readonly<Record<string, readonly { verbs: string; option: RegExp }[]>> = {
  docker: [
    { verbs: 'rm', option: /^(?:-[a-z]*[fv]|--force|--volumes)/ },
    { verbs: 'rmi', option: /^(?:-[a-z]*f|--force)/ },
    { verbs: 'compose down', option: /^(?:-v|--volumes|--rmi)/ },
  ],
  podman: [
    { verbs: 'rm', option: /^(?:-[a-z]*[fva]|--force|--volumes|--all)/ },
    { verbs: 'rmi', option: /^(?:-[a-z]*[fa]|--force|--all)/ },
  ],
  aws: [
    { verbs: 's3 rm', option: /^--recursive/ },
    { verbs: 's3 sync', option: /^--delete/ },
  ],
  gsutil: [{ verbs: 'rm', option: /^-[a-zA-Z]*[rRaf]/ }],
  cmake: [
    { verbs: 'remove_directory', option: /^-E/ },
    { verbs: 'rm', option: /^-E/ },
  ],
  terraform: [{ verbs: 'apply', option: /^-destroy/ }],
};

/** Recursive or forced deletes, in any spelling. */
export function deletes(name: string, words: readonly Word[]): Finding[] {
  if (name === 'rm' || name === 'grm') return removes(name, words);
  if (/^(?:g?find|fd|fdfind)$/.test(name)) return finds(name, words);
  const has = (pattern: RegExp | undefined): boolean =>
    pattern !== undefined && words.some(({ text }, at) => at > 0 && pattern.test(text));
  const byVerb = (Object.hasOwn(verbs, name) ? verbs[name] : undefined)?.some((one) => hasVerbs(words, one)) ?? false;
  const byBoth =
    (Object.hasOwn(verbsWithOption, name) ? verbsWithOption[name] : undefined)?.some(
      (one) => hasVerbs(words, one.verbs) && has(one.option),
    ) ?? false;
  const byOption = has(Object.hasOwn(options, name) ? options[name] : undefined);
  if (!always.has(name) && !byVerb && !byBoth && !byOption) return [];
  return [ask('delete', `${quote(name)} deletes with everything inside, or for good.`)];
}

function removes(name: string, words: readonly Word[]): Finding[] {
  const { options: given, operands } = readArguments(words);
  const recursive = ['r', 'R'].some((letter) => hasOption(given, { letter, long: 'recursive' }));
  if (recursive || hasOption(given, { letter: 'f', long: 'force' }))
    return [ask('delete', `${quote(name)} deletes folders with everything in them, or files by force.`)];
  const isOpen = [...given, ...operands].some(
    (word) => word.kind === 'open' || (word.kind === 'pattern' && mayBeOption(word)),
  );
  return isOpen ? [ask('unclear', `What ${quote(name)} deletes is only known when it runs.`)] : [];
}

/** Removing each file that is found is a recursive delete, whatever the options are. */
function finds(name: string, words: readonly Word[]): Finding[] {
  const acts = words.some(
    ({ text }, at) => /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/.test(text) && isRemover(words[at + 1]),
  );
  const deletesAll = words.some(({ text }) => text === '-delete');
  return acts || deletesAll ? [ask('delete', `${quote(name)} deletes every file that it finds.`)] : [];
}

const isRemover = (word: Word | undefined): boolean => /(?:^|\/)(?:rm|unlink|shred|rimraf)$/.test(word?.text ?? '');
