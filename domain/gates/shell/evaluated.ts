import type { SyntaxNode, Word as SyntaxWord, WordPart } from 'unbash';
import type { Variables } from './variables.ts';

/*
 * Bash runs commands that stand in data where it calculates: with `a='x[$(rm -rf y)]'`, `$((a))` deletes. So a value may be calculated
 * with when it is a number, a name, or the output of a program that no word of the command shapes.
 */

const why = 'It calculates with text that may hold commands.';

/** What is wrong with a node that makes bash look into the value of a variable; undefined when nothing is. */
export function evaluationProblem(node: SyntaxNode, variables: Variables): string | undefined {
  const isDirty = (word: SyntaxWord | undefined): boolean =>
    word !== undefined && word.text !== '@' && word.text !== '*' && isDirtyWord(word, variables, new Set());
  switch (node.type) {
    case 'ArithmeticWord':
      return isDirtyText(node.value, node.parts, variables, new Set()) ? why : undefined;
    case 'ArithmeticCommandExpansion':
      return shapesOutput(node.text) ? why : undefined;
    case 'Assignment':
      return isDirty(node.index) ? why : undefined;
    case 'Slice':
      return isDirty(node.offset) || isDirty(node.length) ? why : undefined;
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) && (isDirty(node.left) || isDirty(node.right))
        ? why
        : undefined;
    case 'TestUnary':
      return node.operator === '-v' && !isName(node.operand.text) ? why : undefined;
    case 'Transform':
      return node.operand.value === 'P' ? why : undefined;
    case 'ParameterExpansion':
      if (node.prefix === '!' && node.operation?.type !== 'Names' && !leadsToNames(node.parameter, variables))
        return why;
      return isDirty(node.index) ? why : undefined;
    default:
      return undefined;
  }
}

/** Builtins that take names of variables, and calculate what is in the brackets behind them; some only with an option. */
const takeNames: Readonly<Record<string, string | undefined>> = {
  read: '',
  unset: '',
  mapfile: '',
  readarray: '',
  getopts: '',
  declare: '',
  typeset: '',
  local: '',
  export: '',
  readonly: '',
  printf: '-v',
  test: '-v',
  '[': '-v',
  wait: '-p',
};

/** The same for a builtin: its words, the program first, and the names that it assigns to. */
export function builtinProblem(
  words: readonly SyntaxWord[],
  assigned: readonly string[],
  variables: Variables,
): string | undefined {
  const texts = words.map(({ value }) => value);
  if (texts.includes('let') && words.some((word) => isDirtyWord(word, variables, new Set()))) return why;
  if (texts.some((text) => /^(?:declare|typeset|local)$/.test(text))) {
    if (texts.some((text) => /^-[a-zA-Z]*n/.test(text))) return 'It gives a variable a second name.';
    const counts = texts.some((text) => /^-[a-zA-Z]*i/.test(text));
    if (counts && [...assigned, ...texts].some((name) => isDirtyName(name, variables, new Set()))) return why;
  }
  const isBracketed = words.some(({ value, text }) => /.\[|\[./.test(value) && !/^[\w[\]'"@*]*$/.test(text));
  const looks = texts.some((text) => {
    const option = Object.hasOwn(takeNames, text) ? takeNames[text] : undefined;
    return option !== undefined && (option === '' || texts.includes(option));
  });
  return isBracketed && looks ? why : undefined;
}

const isName = (text: string): boolean => /^\w+(?:\[(?:\w+|[@*])\])?$/.test(text);

/** Whether a word that is calculated may hold a command. */
function isDirtyWord({ value, parts }: SyntaxWord, variables: Variables, seen: Set<string>): boolean {
  return isDirtyText(value, parts, variables, seen);
}

function isDirtyText(
  text: string,
  parts: readonly WordPart[] | undefined,
  variables: Variables,
  seen: Set<string>,
): boolean {
  if (parts === undefined) return isDirtyLiteral(text, variables, seen);
  return parts.some((part) => isDirtyPart(part, variables, seen));
}

function isDirtyPart(part: WordPart, variables: Variables, seen: Set<string>): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return isDirtyLiteral(part.value, variables, seen);
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some((child) => isDirtyPart(child, variables, seen));
    case 'SimpleExpansion':
      return isDirtyName(part.text.slice(1), variables, seen);
    case 'ParameterExpansion':
      return part.prefix !== '#' && (part.operation !== undefined || isDirtyName(part.parameter, variables, seen));
    case 'CommandExpansion':
      return shapesOutput(part.text);
    case 'ArithmeticExpansion':
      return false;
    case 'BraceExpansion':
      return !/^\{-?\d+\.\.-?\d+\}$/.test(part.text);
    case 'Glob':
      // In a calculation, brackets are an index.
      return part.kind === 'bracket' && part.parts.some((child) => isDirtyPart(child, variables, seen));
    case 'ExtendedGlob':
    case 'ProcessSubstitution':
      return true;
  }
}

/** The names in a calculation stand for their values, which are calculated in turn. */
function isDirtyLiteral(text: string, variables: Variables, seen: Set<string>): boolean {
  if (/[`$\\]/.test(text)) return true;
  return (text.match(/[A-Za-z_]\w*/g) ?? []).some((name) => isDirtyName(name, variables, seen));
}

function isDirtyName(name: string, variables: Variables, seen: Set<string>): boolean {
  if (/^[#?$!]$/.test(name) || seen.has(name)) return false;
  // Arguments of a function, or of the shell.
  if (/^[\d@*]/.test(name)) return true;
  seen.add(name);
  if (variables.anyIsOpen || variables.open.has(name)) return true;
  return (variables.values.get(name) ?? []).some((word) => isDirtyWord(word, variables, seen));
}

/** Words that shape what a program says: brackets, escapes, and programs that turn one text into another. */
function shapesOutput(text: string): boolean {
  return /[[\\]|\b(?:rev|tr|base(?:32|64)|xxd|od|openssl|uudecode|eval|jq)\b/.test(text);
}

function leadsToNames(name: string, variables: Variables): boolean {
  if (variables.anyIsOpen || variables.open.has(name)) return false;
  return (variables.values.get(name) ?? []).every(({ parts, value }) => parts === undefined && isName(value));
}
