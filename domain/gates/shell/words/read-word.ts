import type { CommandExpansionPart, ParameterExpansionPart, Word as SyntaxWord, WordPart } from 'unbash';
import { expandBraces } from '../../../text/glob.ts';
import type { Variables } from './variables.ts';
import { hole, openWord, type ShellWord } from './word.ts';

/** A piece of a word, or a way that it may turn out. */
interface Piece {
  text: string;
  /** The same as a pattern. */
  glob: string;
  kind: ShellWord['kind'];
  maybe: boolean;
}

/** Words that one word may stand for: braces and variables multiply. */
const mostWords = 64;

/** The words that a word of the source may come to: one word, or several of which each may be there. */
export type ReadWord = (word: SyntaxWord) => ShellWord[];

export function wordReader(variables: Variables): ReadWord {
  const readBefore = new Map<string, Piece[]>();
  return (word) => {
    const { pieces, rest } = readPieces(word, { variables, readBefore });
    const words = [...pieces, ...rest];
    return words.length > mostWords ? [openWord] : words.map(toWord);
  };
}

const toWord = ({ text, glob, kind, maybe }: Piece): ShellWord => ({
  text: kind === 'pattern' ? glob : text,
  kind,
  maybe,
});

interface Context {
  variables: Variables;
  /** Values of variables that were read before. */
  readBefore: Map<string, Piece[]>;
  quoted?: boolean;
}

/** Ways that the word may turn out; `rest` are words of their own, out of variables whose values are split. */
function readPieces(word: SyntaxWord, context: Context): { pieces: Piece[]; rest: Piece[] } {
  if (word.parts === undefined) return { pieces: [literal(word.value)], rest: [] };
  const rest: Piece[] = [];
  return { pieces: join(word.parts, context, rest), rest };
}

function join(parts: readonly WordPart[], context: Context, rest: Piece[]): Piece[] {
  let joined: Piece[] = [literal('')];
  for (const part of parts) {
    const choices = listChoices(part, { ...context, rest });
    if (joined.length * choices.length > mostWords) return [openPiece];
    joined = joined.flatMap((before) => choices.map((after) => append(before, after)));
  }
  return joined;
}

function append(before: Piece, after: Piece): Piece {
  const kinds = [before.kind, after.kind];
  return {
    text: before.text + after.text,
    glob: before.glob + after.glob,
    kind: kinds.includes('open') ? 'open' : kinds.includes('pattern') ? 'pattern' : 'plain',
    maybe: before.maybe || after.maybe,
  };
}

const literal = (text: string): Piece => ({
  text,
  glob: text.replace(/[\\*?[\]{}]/g, '\\$&'),
  kind: 'plain',
  maybe: false,
});

/** Without quotes. */
const marked = (text: string): Piece =>
  /[*?[]/.test(text) ? { text, glob: text, kind: 'pattern', maybe: false } : literal(text);

const openPiece: Piece = { text: hole, glob: hole, kind: 'open', maybe: false };
/** Every number is as harmless as this one. */
const number = literal('0');

type PartContext = Context & { rest: Piece[] };

function listChoices(part: WordPart, context: PartContext): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return join(part.parts, { ...context, quoted: true }, context.rest);
    case 'Glob':
      if (part.parts?.some(({ type }) => type !== 'Literal') === true) return [openPiece];
      return [{ text: part.text, glob: part.text, kind: 'pattern', maybe: false }];
    case 'ExtendedGlob':
      return [part.parts === undefined ? { text: part.text, glob: '*', kind: 'pattern', maybe: false } : openPiece];
    case 'BraceExpansion':
      return part.parts === undefined ? readBraces(part.text) : [openPiece];
    case 'SimpleExpansion':
      return readVariable(part.text.slice(1), context);
    case 'ParameterExpansion':
      return readParameter(part, context);
    case 'ArithmeticExpansion':
      return [number];
    case 'ProcessSubstitution':
      return [literal('/dev/fd/63')];
    case 'CommandExpansion':
      return [readOutput(part)];
  }
}

/** `{a,b}` as its choices, `{1..3}` as a number. */
function readBraces(text: string): Piece[] {
  const choices = /["'\\$`]/.test(text) ? undefined : expandBraces(text);
  if (choices === undefined) return [openPiece];
  return choices.map((choice) => {
    if (/^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(choice)) return number;
    return choice.includes('..') && /[{}]/.test(choice) ? openPiece : marked(choice);
  });
}

const counters = new Set(['$', '?', '#', '!', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'BASHPID', 'PPID']);

function readVariable(name: string, context: PartContext): Piece[] {
  if (counters.has(name)) return [number];
  const pieces = context.readBefore.get(name) ?? readValues(name, context);
  return pieces.flatMap((piece) => asUsed(piece, context));
}

/** Each variable is read once. A variable that is given its own value is open while that goes on. */
function readValues(name: string, { variables, readBefore }: PartContext): Piece[] {
  const words = variables.values.get(name) ?? [];
  const isOpen = variables.anyIsOpen || variables.open.has(name) || words.length > mostWords;
  readBefore.set(name, [openPiece]);
  const read = isOpen ? [] : words.map((word) => readPieces(word, { variables, readBefore }));
  const pieces = [
    ...(variables.numbers.has(name) ? [number] : []),
    ...read.flatMap((one) => [...one.pieces, ...one.rest]).map((piece) => ({ ...piece, maybe: true })),
  ];
  const values =
    isOpen || pieces.length > mostWords ? [openPiece] : pieces.length === 0 ? [fromEnvironment(name)] : pieces;
  readBefore.set(name, values);
  return values;
}

/** Without quotes, a value is split, and its marks are patterns. */
function asUsed(piece: Piece, { quoted = false, rest }: PartContext): Piece[] {
  if (quoted || piece.kind !== 'plain') return [piece];
  const [head = literal(''), ...more] = piece.text
    .trim()
    .split(/[ \t\n]+/)
    .map((text) => ({ ...marked(text), maybe: true }));
  rest.push(...more);
  // The end of the value may be joined to what follows it.
  return [head, ...more.slice(-1)];
}

/** Names to which the environment gives a known meaning. */
function fromEnvironment(name: string): Piece {
  if (name === 'HOME') return literal('~');
  if (name === 'PWD') return literal('.');
  return name === 'TMPDIR' ? literal('/tmp') : openPiece;
}

function readParameter(part: ParameterExpansionPart, context: PartContext): Piece[] {
  const { parameter, prefix, operation, index } = part;
  if (prefix === '#') return [number];
  if (prefix !== undefined) return [openPiece];
  const values = readVariable(parameter, context);
  if (operation === undefined) return values;
  if (index !== undefined) return [openPiece];
  if (operation.type === 'Default' && /[-=+]$/.test(operation.operator)) {
    const { pieces, rest } = readPieces(operation.operand, context);
    return [...values, ...pieces, ...rest].map((piece) => ({ ...piece, maybe: true }));
  }
  if (operation.type !== 'Remove' || !operation.operator.startsWith('%')) return [openPiece];
  return values.map((value) => withoutEnd(value, operation.operand));
}

/** `${f%.js}` where every value ends so. */
function withoutEnd(piece: Piece, { parts, value: end }: SyntaxWord): Piece {
  const { text, glob, kind } = piece;
  if (parts !== undefined || kind === 'open' || end === '' || !text.endsWith(end) || /[*?[\]{}\\]/.test(end))
    return openPiece;
  return { ...piece, text: text.slice(0, -end.length), glob: glob.slice(0, -end.length) };
}

/** The output of commands that is known before they run. */
function readOutput({ script }: CommandExpansionPart): Piece {
  const [statement, more] = script?.commands ?? [];
  const command = statement?.command;
  if (more !== undefined || command?.type !== 'Command' || command.prefix.length > 0) return openPiece;
  const name = command.name?.value;
  if (name === 'pwd' && command.suffix.length === 0) return literal('.');
  const isNew = name === 'mktemp' && command.suffix.every((word) => word.type === 'Word' && word.value === '-d');
  return isNew ? literal('/tmp/new') : openPiece;
}
