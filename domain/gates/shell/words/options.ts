import { isCertain, mayBeOption, type ShellWord } from './word.ts';

/** The options of a program that take the next word, or the rest of theirs, as a value. */
export interface OptionSpec {
  /** Letters. */
  values?: string;
  /** Names without dashes; they may be abbreviated. */
  long?: readonly string[];
}

/** The word behind an option that takes a value. */
export interface Value {
  /** `-o` or `--output`: as it was written. */
  option: string;
  word: ShellWord;
}

/** The words of a program, sorted. */
export interface Arguments {
  options: readonly ShellWord[];
  values: readonly Value[];
  operands: readonly ShellWord[];
}

/** Sorts the words behind a program. Options and operands may be mixed; behind `--` there are only operands. */
export function readArguments(words: readonly ShellWord[], spec: OptionSpec = {}): Arguments {
  const options: ShellWord[] = [];
  const values: Value[] = [];
  const operands: ShellWord[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === '--') return { options, values, operands: [...operands, ...words.slice(at + 1)] };
    if (!isOption(word)) {
      operands.push(word);
      continue;
    }
    options.push(word);
    const taken = readOption(word.text, spec);
    if (taken === undefined) continue;
    const next = words[at + 1];
    if (taken.attached !== undefined) values.push({ option: taken.option, word: { ...word, text: taken.attached } });
    else if (next !== undefined) {
      values.push({ option: taken.option, word: next });
      at += 1;
    }
  }
  return { options, values, operands };
}

/** The index of the first operand; undefined when words before it are only known at run time. */
export function firstOperand(words: readonly ShellWord[], spec: OptionSpec = {}, from = 1): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (!isCertain(word) && (word.maybe || mayBeOption(word))) return undefined;
    if (word.text === '--') return at + 1;
    if (!isOption(word)) return at;
    const taken = readOption(word.text, spec);
    if (taken !== undefined && taken.attached === undefined) at += 1;
  }
  return words.length;
}

const isOption = ({ text }: ShellWord): boolean => text.startsWith('-') && text !== '-';

function readOption(text: string, spec: OptionSpec): { option: string; attached?: string } | undefined {
  if (text.startsWith('--')) {
    const [name = '', ...rest] = text.slice(2).split('=');
    if (name === '' || !(spec.long ?? []).some((long) => long.startsWith(name))) return undefined;
    return rest.length > 0 ? { option: `--${name}`, attached: rest.join('=') } : { option: `--${name}` };
  }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (!(spec.values ?? '').includes(letter)) continue;
    return at + 1 < text.length ? { option: `-${letter}`, attached: text.slice(at + 1) } : { option: `-${letter}` };
  }
  return undefined;
}

/**
 * True where one of the options is this one: `-f`, in a cluster such as `-rf`, or a long name that may be abbreviated and may have a value.
 * Letters behind one that takes a value belong to that value.
 */
export function hasOption(
  options: readonly ShellWord[],
  option: { letter?: string; long?: string | readonly string[] },
  spec: OptionSpec = {},
): boolean {
  const names = typeof option.long === 'string' ? [option.long] : (option.long ?? []);
  return options.some(({ text }) => {
    if (!text.startsWith('--')) return option.letter !== undefined && readCluster(text, spec).includes(option.letter);
    const [name = ''] = text.slice(2).split('=');
    return name !== '' && names.some((long) => long.startsWith(name));
  });
}

function readCluster(text: string, { values = '' }: OptionSpec): string {
  const letters = text.slice(1);
  const end = letters.split('').findIndex((letter) => values.includes(letter));
  return end === -1 ? letters : letters.slice(0, end + 1);
}

/** The values of an option in all its spellings. */
export function listOptionValues(
  { values }: Pick<Arguments, 'values'>,
  option: { letter?: string; long?: string | readonly string[] },
): ShellWord[] {
  const names = typeof option.long === 'string' ? [option.long] : (option.long ?? []);
  return values
    .filter(({ option: given }) =>
      given.startsWith('--')
        ? names.some((long) => long.startsWith(given.slice(2)))
        : option.letter !== undefined && given === `-${option.letter}`,
    )
    .map(({ word }) => word);
}
