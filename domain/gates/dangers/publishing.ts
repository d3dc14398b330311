import { isInTable, onlyShows } from './find-verb.ts';
import { publishers } from './publishers.ts';
import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import type { ShellWord } from '../shell/words/word.ts';

/** Words that mean it wherever they stand: goals of a build, options of a build of images. */
const anywhere: Readonly<Record<string, RegExp>> = {
  mvn: /^(?:[\w.-]+:)*deploy(?:-file)?$/,
  mvnw: /^(?:[\w.-]+:)*deploy(?:-file)?$/,
  gradle: /^(?:[\w:-]*:)?(?:publish(?:[A-Z]\w*)?|uploadArchives)$/,
  gradlew: /^(?:[\w:-]*:)?(?:publish(?:[A-Z]\w*)?|uploadArchives)$/,
  docker: /^--push$/,
  podman: /^--push$/,
  python: /^setup\.py$/,
  'setup.py': /^upload$/,
};

export function publishing(name: string, words: readonly ShellWord[]): GateFinding[] {
  const mark = Object.hasOwn(anywhere, name) ? anywhere[name] : undefined;
  const isMarked = mark !== undefined && words.some(({ text }, at) => at > 0 && mark.test(text) && !isLocal(text));
  const isVerb = isInTable(name, withoutToolchain(name, words), publishers);
  // `python setup.py sdist upload`.
  if (name === 'python' && !words.some(({ text }) => text === 'upload')) return [];
  if ((!isMarked && !isVerb) || onlyShows(words, /^--(?:dry-run|help|snapshot|no-publish)$/)) return [];
  return [ask('publish', `${quoteWord(name)} makes a package public, or takes a public one back.`)];
}

/** `cargo +nightly publish`. */
const withoutToolchain = (name: string, words: readonly ShellWord[]): readonly ShellWord[] =>
  name === 'cargo' ? words.filter(({ text }, at) => at !== 1 || !text.startsWith('+')) : words;

/** To the cache of this machine. */
const isLocal = (text: string): boolean => text.endsWith('ToMavenLocal');
