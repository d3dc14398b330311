import type { Word as SyntaxWord } from 'unbash';
import { mayMakeCommands } from './words/outputs.ts';
import { calculates, isDirty, isDirtyVariable, isNameOf, type Values } from './words/evaluated.ts';

/** How a builtin is given names of variables; it calculates what stands in brackets behind them. */
interface Takes {
  /** Letters of options that take a value. */
  values: string;
  /** The letter whose value is a name. */
  named?: string;
  /** Operands that are names: from the first, or from a later one on. */
  from?: number;
}

const declares: Takes = { values: '', from: 0 };

const takers: Readonly<Record<string, Takes>> = {
  read: { values: 'adinNptu', named: 'a', from: 0 },
  mapfile: { values: 'dnOsuCc', from: 0 },
  readarray: { values: 'dnOsuCc', from: 0 },
  getopts: { values: '', from: 1 },
  unset: declares,
  declare: declares,
  typeset: declares,
  local: declares,
  export: declares,
  readonly: declares,
  printf: { values: 'v', named: 'v' },
  wait: { values: 'p', named: 'p' },
};

const notPlain = 'It names a variable by words that are only known when it runs, or that hold commands.';

/** The problem of the words of a builtin, the program first, and with the names that it assigns to. */
export function builtinProblem(
  words: readonly SyntaxWord[],
  assigned: readonly string[],
  values: Values,
): string | undefined {
  const start = words.findIndex(({ value }) => !/^(?:builtin|command|--)$/.test(value));
  const own = words.slice(Math.max(0, start));
  const name = own[0]?.value ?? '';
  if (name === 'let') return own.slice(1).some((word) => isDirty(word, values)) ? calculates : undefined;
  if (name === 'test' || name === '[') return testProblem(own.slice(1), values);
  if (/^(?:declare|typeset|local|export|readonly)$/.test(name)) {
    const problem = attributeProblem(own, assigned, values);
    if (problem !== undefined) return problem;
  }
  const takes = Object.hasOwn(takers, name) ? takers[name] : undefined;
  if (takes === undefined) return undefined;
  const isFine = (word: SyntaxWord): boolean =>
    isPlain(word, values) || (name === 'export' && isFromFile(word, values));
  return findNames(own, takes).every(isFine) ? undefined : notPlain;
}

/** `export $(cat settings)`: in a sandbox, as good as a script. */
const isFromFile = ({ parts = [] }: SyntaxWord, { strict }: Values): boolean =>
  !strict && parts.length === 1 && parts[0]?.type === 'CommandExpansion' && !mayMakeCommands(parts[0].text);

function attributeProblem(words: readonly SyntaxWord[], assigned: readonly string[], values: Values) {
  const texts = words.slice(1).map(({ value }) => value);
  if (texts.some((text) => /^[-+][a-zA-Z]*n/.test(text))) return 'It gives a variable a second name.';
  const counts = texts.some((text) => /^[-+][a-zA-Z]*i/.test(text));
  const names = [...assigned, ...texts.map((text) => /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '')];
  return counts && names.some((name) => name !== '' && isDirtyVariable(name, values)) ? calculates : undefined;
}

/** A name, or one with a value behind it. */
const isPlain = (word: SyntaxWord, values: Values): boolean =>
  isNameOf(word, values) || /^["']?[A-Za-z_]\w*\+?=/.test(word.text);

function findNames(words: readonly SyntaxWord[], { values, named, from }: Takes): SyntaxWord[] {
  const names: SyntaxWord[] = [];
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const text = word?.value ?? '';
    if (word === undefined || !/^[-+]./.test(text) || text === '--') break;
    const letter = Array.from(text.slice(1)).findIndex((one) => values.includes(one));
    if (letter === -1) continue;
    const isNamed = text[letter + 1] === named;
    if (letter + 2 < text.length) {
      // The rest of the word is the value.
      if (isNamed) names.push({ ...word, text: word.text.slice(word.text.indexOf(named ?? '') + 1) });
      continue;
    }
    at += 1;
    const value = words[at];
    if (isNamed && value !== undefined) names.push(value);
  }
  const operands = words.slice(words[at]?.value === '--' ? at + 1 : at);
  return from === undefined ? names : [...names, ...operands.slice(from)];
}

/** `-v` looks at a name, wherever the option comes from. */
function testProblem(words: readonly SyntaxWord[], values: Values): string | undefined {
  const looks = words.some((word, at) => {
    const next = words[at + 1];
    if (next === undefined || (!/^-[vR]$/.test(word.value) && !isOpen(word))) return false;
    return isOpen(word) ? isOpen(next) || next.value.includes('[') : !isNameOf(next, values);
  });
  return looks ? notPlain : undefined;
}

/** Its first part is only known at run time. */
const isOpen = ({ text, parts }: SyntaxWord): boolean =>
  parts !== undefined && /^"?[$`]/.test(text) && !/^"?\$[#?]/.test(text);
