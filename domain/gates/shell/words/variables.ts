import {
  forEachChild,
  type ArithmeticExpression,
  type Command,
  type SyntaxNode,
  type Word as SyntaxWord,
} from 'unbash';

/** The values that a text gives to its variables, wherever it does so: order and conditions are not followed. */
export interface Variables {
  /** Words that are assigned to a name. */
  values: ReadonlyMap<string, readonly SyntaxWord[]>;
  /** Names whose value only the run tells. */
  open: ReadonlySet<string>;
  /** Names that are given numbers, too. */
  numbers: ReadonlySet<string>;
  /** A name that is assigned to is itself only known at run time: it may be any. */
  anyIsOpen: boolean;
  /** Set or removed otherwise than by an assignment: by a loop, a builtin, a calculation. */
  indirect: ReadonlySet<string>;
}

/** The same while it is put together. */
export interface VariablesDraft extends Variables {
  values: Map<string, SyntaxWord[]>;
  open: Set<string>;
  numbers: Set<string>;
  indirect: Set<string>;
}

export const newVariables = (): VariablesDraft => ({
  ...{ values: new Map(), open: new Set(), numbers: new Set(), indirect: new Set() },
  anyIsOpen: false,
});

export function findVariables(script: SyntaxNode): Variables {
  const draft = newVariables();
  look(script, draft);
  return draft;
}

/** Adds what another text gives to variables: one shell hands them to the next. */
export function addVariables(all: VariablesDraft, { values, open, numbers, indirect, anyIsOpen }: Variables): void {
  for (const [name, words] of values) for (const word of words) add(all, name, word);
  for (const name of open) all.open.add(name);
  for (const name of numbers) all.numbers.add(name);
  for (const name of indirect) all.indirect.add(name);
  all.anyIsOpen ||= anyIsOpen;
}

/** Variables that bash fills with parts of the command, with names of files or with what it reads. */
const ownNames =
  /^(?:_|REPLY|MAPFILE|OPTARG|COPROC|PWD|OLDPWD|DIRSTACK|FUNCNAME|READLINE_\w+|COMP_(?:LINE|WORDS|CWORD|POINT)|BASH_(?:REMATCH|COMMAND|EXECUTION_STRING|SOURCE|ARGV0?|ALIASES|CMDS|ENV|TRAPSIG))$/;

export const fillsItself = (name: string): boolean => ownNames.test(name);

function look(node: SyntaxNode, draft: VariablesDraft): void {
  switch (node.type) {
    case 'Assignment':
      if (node.append === true) draft.open.add(node.name);
      else if (node.value.type === 'Word') add(draft, node.name, node.value);
      else for (const element of node.value.elements) add(draft, node.name, element);
      break;
    case 'For':
      draft.indirect.add(node.name.value);
      if (node.wordlist === undefined) draft.open.add(node.name.value);
      else for (const word of node.wordlist) add(draft, node.name.value, word);
      break;
    case 'Select':
      draft.indirect.add(node.name.value);
      draft.open.add(node.name.value);
      break;
    case 'Coproc':
      draft.indirect.add(node.name?.value ?? 'COPROC');
      draft.open.add(node.name?.value ?? 'COPROC');
      break;
    case 'ParameterExpansion':
      if (node.operation?.type === 'Default' && node.operation.operator.endsWith('=')) {
        add(draft, node.parameter, node.operation.operand);
        draft.indirect.add(node.parameter);
      }
      break;
    case 'ArithmeticBinary':
      if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator)) addNumber(draft, node.left);
      break;
    case 'ArithmeticUnary':
      if (node.operator === '++' || node.operator === '--') addNumber(draft, node.operand);
      break;
    case 'Command':
      lookAtSetter(node, draft);
      break;
    default:
  }
  forEachChild(node, (child) => {
    look(child, draft);
  });
}

function add({ values }: VariablesDraft, name: string, word: SyntaxWord): void {
  const others = values.get(name);
  if (others === undefined) values.set(name, [word]);
  else others.push(word);
}

function addNumber({ numbers, indirect }: VariablesDraft, target: ArithmeticExpression): void {
  const name = target.type === 'ArithmeticWord' ? identifier.exec(target.value)?.[0] : undefined;
  if (name === undefined) return;
  numbers.add(name);
  indirect.add(name);
}

const identifier = /^[A-Za-z_]\w*/;

/** These fill the variables whose names are among their words; some only with an option. */
const fillers: Readonly<Record<string, string | undefined>> = {
  read: '',
  mapfile: '',
  readarray: '',
  getopts: '',
  printf: '-v',
  wait: '-p',
};
const declarers = new Set(['declare', 'typeset', 'local', 'readonly', 'export']);

/** The neighbours of such a word are taken for names at any position (`builtin read x`). */
function lookAtSetter({ name, args }: Command, draft: VariablesDraft): void {
  const words = [name, ...args].filter((word) => word?.type === 'Word');
  const texts = words.map(({ value }) => value);
  const fills = texts.some((text) => {
    const option = Object.hasOwn(fillers, text) ? fillers[text] : undefined;
    return option !== undefined && (option === '' || texts.includes(option));
  });
  const declares = texts.some((text) => declarers.has(text));
  const calculates = texts.includes('let');
  lookAtNames(texts, draft);
  if (!fills && !declares && !calculates) return;
  for (const { value, parts, text } of words) {
    const given = identifier.exec(value)?.[0];
    if (given === undefined) {
      // The variable that an open word names is only known at run time.
      if (parts !== undefined && /^["']?[$`]/.test(text)) draft.anyIsOpen = true;
    } else if (fills || (declares && value.includes('='))) draft.open.add(given);
    else if (calculates) draft.numbers.add(given);
  }
}

/** Names that a builtin sets, or takes out of the environment. */
function lookAtNames(texts: readonly string[], { indirect }: VariablesDraft): void {
  const start = texts.findIndex((text) => !/^(?:builtin|command|--)$/.test(text));
  const [builtin = '', ...rest] = texts.slice(Math.max(0, start));
  const removes =
    builtin === 'unset' || (declarers.has(builtin) && rest.some((text) => /^[-+][a-zA-Z]*[nx]/.test(text)));
  const sets = Object.hasOwn(fillers, builtin) || builtin === 'let' || declarers.has(builtin);
  if (!removes && !sets) return;
  for (const text of rest) {
    const name = identifier.exec(text)?.[0];
    if (name !== undefined && (removes || !declarers.has(builtin) || text.includes('='))) indirect.add(name);
  }
}
