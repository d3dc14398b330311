import { ask, deny, quoteWord, type GateFinding } from '../findings/finding.ts';
import { isCertain, programName, type ShellWord } from '../shell/words/word.ts';

/*
 * An agent must not answer its own questions. A program that may run `heddle decide` or `heddle trust` has every right of the person who is asked, so
 * of Heddle's own commands an agent gets only those that look; an unknown command is taken for one that acts.
 */

const looks = new Set(
  'status list logs report diff inbox watch models config doctor memory help --version -V --help -h'.split(' '),
);

/** Commands by which a person answers, trusts, allows or takes back: no program of a plan does that either. */
const answers = new Set('decide trust undo memory auth approve allow answer'.split(' '));

const memoryLooks = new Set(['export', 'help']);
const memoryActs = new Set(['set', 'import', 'forget', 'edit', 'add', 'remove', 'clear']);

/** Options of every command that take no value. */
const flags = /^(?:--json|--no-color|--color|--quiet|-q|--verbose)$/;

const isHeddle = (name: string): boolean => /^heddle(?:-cli)?(?:\.[cm]?[jt]s)?$/.test(name);

/** The words of Heddle in a call, itself first; undefined: it is another program. `script` is the file that an interpreter runs. */
function wordsOfHeddle(words: readonly ShellWord[], script: ShellWord | undefined): readonly ShellWord[] | undefined {
  if (isHeddle(programName(words[0]?.text ?? ''))) return words;
  if (script === undefined || !isHeddle(programName(script.text))) return undefined;
  return words.slice(words.indexOf(script));
}

/** The findings about Heddle's own commands in a call. `onlyAnswers`: for a program that a person wrote into the plan. */
export function ownCommands(
  words: readonly ShellWord[],
  script: ShellWord | undefined,
  { onlyAnswers = false } = {},
): GateFinding[] {
  const own = wordsOfHeddle(words, script);
  if (own === undefined) return [];
  const given = own.slice(1).filter(({ text }) => !flags.test(text));
  const [verb, second] = given;
  if (verb === undefined) return [];
  if (!isCertain(verb)) return onlyAnswers ? [unknown] : [refused('heddle')];
  if (verb.text === 'memory' && !changesMemory(given.slice(1))) return [];
  if (onlyAnswers) return answers.has(verb.text) ? [refused(shown(verb, second))] : [];
  return looks.has(verb.text) && verb.text !== 'memory' ? [] : [refused(shown(verb, second))];
}

const unknown: GateFinding = ask('unclear', 'Which command of `heddle` it is, is only known when it runs.');

function changesMemory(rest: readonly ShellWord[]): boolean {
  if (rest.some((word) => !isCertain(word) || memoryActs.has(word.text))) return true;
  return rest.some(({ text }) => text.startsWith('-')) && !memoryLooks.has(rest[0]?.text ?? '');
}

const shown = (verb: ShellWord, second: ShellWord | undefined): string =>
  verb.text === 'memory' && isCertain(second) ? `heddle memory ${second.text}` : `heddle ${verb.text}`;

const refused = (command: string): GateFinding =>
  deny(
    `${quoteWord(command)} is for people: an agent may look at tasks, but not start, answer, trust or change anything.`,
  );
