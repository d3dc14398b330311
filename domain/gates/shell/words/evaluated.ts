import type { SyntaxNode, Word as SyntaxWord, WordPart } from 'unbash';
import { isNumberOutput, mayMakeCommands } from './outputs.ts';
import { fillsItself, type Variables } from './variables.ts';

/*
 * Bash runs commands that stand in data where it calculates: with `a='x[$(rm -rf y)]'`, `$((a))` deletes. So a value may be calculated
 * with when it is a number, a name, or the output of a program that no word of the command shapes. `strict` is for commands that run
 * without a sandbox: there, what a file says counts as a command too, so only outputs that are numbers may be calculated with.
 */

export const calculates = 'It calculates with text that may hold commands.';

/** The values and the strictness with which a value is looked at. */
export interface Values {
  variables: Variables;
  strict: boolean;
}

type Looked = Values & { seen: Set<string> };

const looked = (values: Values): Looked => ({ ...values, seen: new Set() });

/** The problem of a node that makes bash look into the value of a variable; undefined when nothing is. */
export function evaluationProblem(node: SyntaxNode, values: Values): string | undefined {
  const isDirty = (word: SyntaxWord | undefined): boolean =>
    word !== undefined && word.text !== '@' && word.text !== '*' && isDirtyWord(word, looked(values));
  return makesEvaluation(node, isDirty, values) ? calculates : undefined;
}

function makesEvaluation(
  node: SyntaxNode,
  isDirty: (word: SyntaxWord | undefined) => boolean,
  values: Values,
): boolean {
  switch (node.type) {
    case 'ArithmeticWord':
      return isDirtyText(node.value, node.parts, looked(values));
    case 'ArithmeticCommandExpansion':
      return isDirtyOutput(node, values);
    case 'Assignment':
      return (
        isDirty(node.index) || (node.value.type === 'ArrayValue' && node.value.elements.some(isIndexed(looked(values))))
      );
    case 'Slice':
      return isDirty(node.offset) || isDirty(node.length);
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) && (isDirty(node.left) || isDirty(node.right));
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator) && !isVariableName(node.operand, looked(values));
    case 'Transform':
      return node.operand.value === 'P';
    case 'ParameterExpansion':
      if (node.prefix === '!' && node.operation?.type !== 'Names' && !leadsToNames(node.parameter, values)) return true;
      return isDirty(node.index);
    default:
      return false;
  }
}

/** `a=([$x]=1)`: what stands in the brackets is calculated. */
const isIndexed =
  (values: Looked) =>
  (word: SyntaxWord): boolean =>
    word.text.startsWith('[') && word.text.includes(']=') && isDirtyWord(word, values);

/** Variables to which bash itself gives the type of a number, so that whatever is assigned to them is calculated. */
const integers = [
  ...['RANDOM', 'SRANDOM', 'OPTIND', 'HISTCMD', 'SECONDS', 'LINENO', 'BASHPID', 'PPID', 'UID', 'EUID', 'OPTERR'],
  ...['EPOCHSECONDS', 'EPOCHREALTIME', 'BASH_SUBSHELL', 'BASH_MONOSECONDS', 'MAILCHECK', 'COMP_CWORD', 'GROUPS'],
];

/** The same for what is assigned to those variables, by whatever means. */
export function integerProblem(values: Values): string | undefined {
  const { open, values: given } = values.variables;
  const isDirty = (name: string): boolean =>
    open.has(name) || (given.get(name) ?? []).some((word) => isDirtyWord(word, looked(values)));
  return integers.some(isDirty) ? 'It gives text to a variable that bash calculates.' : undefined;
}

/** A word names a variable, or a part of one whose index can be calculated. */
export function isVariableName({ text }: SyntaxWord, values: Looked): boolean {
  const [, index] = /^["']?[A-Za-z_0-9]\w*(?:\[(\w+|[@*])\])?["']?$/.exec(text) ?? [undefined, undefined];
  if (index === undefined) return /^["']?[A-Za-z_0-9]\w*(?:\[[@*]\])?["']?$/.test(text);
  return !isDirtyLiteral(index, values);
}

export const isNameOf = (word: SyntaxWord, values: Values): boolean => isVariableName(word, looked(values));

export const isDirty = (word: SyntaxWord, values: Values): boolean => isDirtyWord(word, looked(values));

export const isDirtyVariable = (name: string, values: Values): boolean => isDirtyName(name, looked(values));

/** A word that is calculated may hold a command. */
const isDirtyWord = ({ value, parts }: SyntaxWord, values: Looked): boolean => isDirtyText(value, parts, values);

function isDirtyText(text: string, parts: readonly WordPart[] | undefined, values: Looked): boolean {
  if (parts !== undefined) return parts.some((part) => isDirtyPart(part, values));
  const name = /^\$(?:\{(\w+)\}|(\w+))$/.exec(text);
  return name === null ? isDirtyLiteral(text, values) : isDirtyName(name[1] ?? name[2] ?? '', values);
}

function isDirtyPart(part: WordPart, values: Looked): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return isDirtyLiteral(part.value, values);
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some((child) => isDirtyPart(child, values));
    case 'SimpleExpansion':
      return isDirtyName(part.text.slice(1), values);
    case 'ParameterExpansion':
      return part.prefix !== '#' && (part.operation !== undefined || isDirtyName(part.parameter, values));
    case 'CommandExpansion':
      return isDirtyOutput(part, values);
    case 'ArithmeticExpansion':
      return false;
    case 'BraceExpansion':
      return !/^\{-?\d+\.\.-?\d+\}$/.test(part.text);
    case 'Glob':
      // In a calculation, brackets are an index; elsewhere a pattern stands for names of files.
      return values.strict || (part.kind === 'bracket' && part.parts.some((child) => isDirtyPart(child, values)));
    case 'ExtendedGlob':
    case 'ProcessSubstitution':
      return true;
  }
}

const isDirtyOutput = (
  { text, script }: Extract<SyntaxNode, { type: 'CommandExpansion' | 'ArithmeticCommandExpansion' }>,
  { strict }: Values,
): boolean => mayMakeCommands(text) || (strict && !isNumberOutput(script));

/** The names in a calculation stand for their values, which are calculated in turn. */
function isDirtyLiteral(text: string, values: Looked): boolean {
  if (/[`$\\]/.test(text)) return true;
  return (text.match(/[A-Za-z_]\w*/g) ?? []).some((name) => isDirtyName(name, values));
}

function isDirtyName(name: string, values: Looked): boolean {
  const { variables, seen } = values;
  if (/^[#?$!]$/.test(name) || seen.has(name)) return false;
  // Arguments of a function, or of the shell.
  if (/^[\d@*]/.test(name)) return true;
  seen.add(name);
  if (variables.anyIsOpen || variables.open.has(name) || fillsItself(name)) return true;
  return (variables.values.get(name) ?? []).some((word) => isDirtyWord(word, values));
}

function leadsToNames(name: string, values: Values): boolean {
  const { variables } = values;
  if (variables.anyIsOpen || variables.open.has(name) || fillsItself(name) || /^[\d@*]/.test(name)) return false;
  return (variables.values.get(name) ?? []).every(
    (word) => word.parts === undefined && isVariableName(word, looked(values)),
  );
}
