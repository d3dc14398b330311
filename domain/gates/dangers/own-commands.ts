import { ask, deny, quote, type Finding } from '../findings/finding.ts';
import { isCertain, programName, type Word } from '../shell/words/word.ts';

/*
 * An agent must not answer its own questions. Whoever may run `heddle decide` or `heddle trust` has every right of the person who is asked, so
 * of Heddle's own commands an agent gets only those that look; one that is not known is taken for one that acts.
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
function wordsOfHeddle(words: readonly Word[], script: Word | undefined): readonly Word[] | undefined {
  if (isHeddle(programName(words[0]?.text ?? ''))) return words;
  if (script === undefined || !isHeddle(programName(script.text))) return undefined;
  return words.slice(words.indexOf(script));
}

/** What of Heddle's own a call does. `onlyAnswers`: for a program that a person wrote into the plan. */
export function ownCommands(words: readonly Word[], script: Word | undefined, { onlyAnswers = false } = {}): Finding[] {
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

const unknown: Finding = ask('unclear', 'Which command of `heddle` it is, is only known when it runs.');

function changesMemory(rest: readonly Word[]): boolean {
  if (rest.some((word) => !isCertain(word) || memoryActs.has(word.text))) return true;
  return rest.some(({ text }) => text.startsWith('-')) && !memoryLooks.has(rest[0]?.text ?? '');
}

const shown = (verb: Word, second: Word | undefined): string =>
  verb.text === 'memory' && isCertain(second) ? `heddle memory ${second.text}` : `heddle ${verb.text}`;

const refused = (command: string): Finding =>
  deny(`${quote(command)} is for people: an agent may look at tasks, but not start, answer, trust or change anything.`);
