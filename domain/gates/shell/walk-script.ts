import {
  forEachChild,
  type AndOr,
  type Command,
  type Elif,
  type Function as ShellFunction,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { findInput, findOutput, ownInput } from './inputs/find-input.ts';
import { inspect, inspectChildren, lookLater } from './inspect-words.ts';
import { startCall } from './start-call.ts';
import { builtinProblem } from './take-names.ts';
import type { ProgramInput } from './words/command-reading.ts';
import { stay, union, type Moved, type Scope } from './words/scope.ts';
import { plainWord, type ShellWord } from './words/word.ts';

/** Follows a script as a shell would, through every branch. Functions are read at the end: who calls them, and from where, is not followed. */
export function walkScript(script: ParsedScript, scope: Scope): Moved {
  const [error] = script.errors ?? [];
  if (error !== undefined) scope.reading.problems.add('It is not a complete command, so nobody can say what it does.');
  return walkList(script.commands, scope);
}

function walkList(statements: readonly Statement[], scope: Scope): Moved {
  let moved = stay(scope);
  let stopsOnError = false;
  for (const { command, background } of statements) {
    const here = { ...scope, folders: stopsOnError ? moved.ok : moved.all };
    const after = walk(command, here);
    moved = background === true ? stay(here) : after;
    stopsOnError ||= isSetE(command);
  }
  return moved;
}

const isSetE = (node: Statement['command']): boolean =>
  node.type === 'Command' &&
  node.name?.text === 'set' &&
  node.args.some((word) => word.type === 'Word' && /^-[a-z]*e/.test(word.text));

type Followed = Statement['command'] | ShellFunction['body'] | PipelineNode;

function walk(node: Followed, scope: Scope): Moved {
  switch (node.type) {
    case 'Command':
      return walkCommand(node, scope);
    case 'AndOr':
      return walkAndOr(node, scope);
    case 'Pipeline':
      return walkPipeline(node, scope);
    case 'CompoundList':
      return walkList(node.commands, scope);
    case 'BraceGroup':
      return walkList(node.body.commands, scope);
    case 'Redirected':
      return walk(node.command, { ...scope, input: walkRedirects(node.redirects, scope) });
    case 'If':
      return walkIf(node, scope);
    case 'Select':
      if (scope.sharesInput) scope.reading.problems.add('It reads its commands and its answers from the same input.');
      return walkBranches(node, scope);
    case 'For':
    case 'ArithmeticFor':
    case 'While':
    case 'Case':
      return walkBranches(node, scope);
    case 'Subshell':
      walkList(node.body.commands, scope);
      return stay(scope);
    case 'Coproc':
      walk(node.body, { ...scope, input: { kind: 'open', network: false } });
      return stay(scope);
    case 'Function':
      scope.reading.functions.add(node.name.value);
      return stay(scope);
    case 'ArithmeticCommand':
      // Other shells than bash take it for a command in two subshells.
      scope.readText(node.body, { ...scope, guess: true });
      inspectChildren(node, scope);
      return stay(scope);
    case 'TestCommand':
      inspectChildren(node, scope);
      return stay(scope);
  }
}

/** The body of a function may be called from anywhere, with anything on its input. */
export function walkFunctions(node: SyntaxNode, scope: Scope): void {
  if (node.type === 'Function') {
    const input: ProgramInput = { kind: 'words', network: scope.reading.calls.some(({ network }) => network) };
    walk(node.body, { ...scope, folders: [...scope.reading.folders], input, inFunction: true });
  }
  forEachChild(node, (child) => {
    walkFunctions(child, scope);
  });
}

function walkAndOr({ commands, operators }: AndOr, scope: Scope): Moved {
  let moved = stay(scope);
  for (const [at, command] of commands.entries()) {
    const isSecondTry = operators[at - 1] === '||';
    const next = walk(command, { ...scope, folders: isSecondTry ? moved.all : moved.ok });
    // After `cd x || exit` a command that still runs is in x.
    if (isSecondTry && leaves(command)) moved = { ok: moved.ok, all: moved.ok };
    else if (isSecondTry) moved = { ok: union(moved.ok, next.ok), all: union(moved.all, next.all) };
    else moved = { ok: next.ok, all: at === 0 ? next.all : union(moved.all, next.all) };
  }
  return moved;
}

const leaves = (node: PipelineNode): boolean =>
  node.type === 'Command' && /^(?:exit|return)$/.test(node.name?.text ?? '');

function walkPipeline({ commands }: Pipeline, scope: Scope): Moved {
  const [only] = commands;
  if (only !== undefined && commands.length === 1) return walk(only, scope);
  let { input } = scope;
  for (const command of commands) {
    const before = scope.reading.calls.length;
    walk(command, { ...scope, input });
    const network = scope.reading.calls.slice(before).some((call) => call.network);
    input = findOutput(command, { ...scope, input }, network);
  }
  return stay(scope);
}

function walkIf(node: If, scope: Scope): Moved {
  const ends: (readonly string[])[] = [];
  let { folders } = scope;
  const branches: (If | Elif)[] = [node, ...node.elif];
  for (const { clause, then } of branches) {
    const tried = walkList(clause.commands, { ...scope, folders });
    ends.push(walkList(then.commands, { ...scope, folders: tried.ok }).all);
    folders = tried.all;
  }
  ends.push(node.else === undefined ? folders : walkList(node.else.commands, { ...scope, folders }).all);
  const all = union(...ends);
  return { ok: all, all };
}

/** Parts that run never, once or often, in any order. */
function walkBranches(node: SyntaxNode, scope: Scope): Moved {
  let { folders } = scope;
  const here = { ...scope, inLoop: scope.inLoop || node.type !== 'Case' };
  forEachChild(node, (child) => {
    if (child.type === 'CompoundList') folders = union(folders, walkList(child.commands, { ...here, folders }).all);
    else if (child.type === 'CaseItem') {
      for (const pattern of child.pattern) inspect(pattern, here);
      folders = union(folders, walkList(child.body.commands, here).all);
    } else inspect(child, { ...here, folders });
  });
  return { ok: folders, all: folders };
}

function walkCommand(node: Command, scope: Scope): Moved {
  const { reading } = scope;
  const before = reading.calls.length;
  for (const child of [...node.prefix, node.name, ...node.suffix]) {
    if (child === undefined) continue;
    // How `read` cuts its lines has no effect on the commands.
    if (child.type === 'Assignment' && child.name === 'IFS' && node.name?.value === 'read') inspect(child, scope);
    else if (child.type === 'Assignment') inspectAssignment(child, scope);
    else if (child.type === 'Word') inspect(child, scope);
  }
  const input = ownInput(walkRedirects(node.redirects, scope), scope.input);
  if (node.name === undefined) return stay(scope);
  const names = node.args.flatMap((word) => (word.type === 'Assignment' ? [word.name] : []));
  const given = [node.name, ...node.args].filter(isWord);
  lookLater((values) => builtinProblem(given, names, values), scope);
  const fetched = reading.calls.slice(before).some((call) => call.network);
  const network = fetched || ('network' in input && input.network);
  return startCall({ words: readWords(node, scope), network }, { ...scope, input });
}

const isWord = <N extends { type: string }>(node: N): node is N & { type: 'Word' } => node.type === 'Word';

function readWords({ name, args }: Command, { readWord }: Scope): ShellWord[] {
  return [...(name === undefined ? [] : [name]), ...args].flatMap((word) => {
    if (word.type === 'Word') return readWord(word);
    if (word.value.type === 'ArrayValue') return [plainWord(`${word.name}=`)];
    return readWord(word.value).map((value) => ({ ...value, text: `${word.name}=${value.text}` }));
  });
}

function inspectAssignment(node: SyntaxNode & { type: 'Assignment' }, scope: Scope): void {
  inspect(node, scope);
  const values = node.value.type === 'Word' ? [node.value] : node.value.elements;
  const words = values.flatMap((word) => scope.readWord(word));
  scope.reading.settings.push({ name: node.name, words });
}

/** Notes the files that are opened, and says what the command reads. */
function walkRedirects(redirects: readonly Redirection[], scope: Scope): ProgramInput {
  for (const redirect of redirects) {
    inspect(redirect, scope);
    if (redirect.type !== 'Redirect' || redirect.target === undefined) continue;
    const writes = redirect.operator !== '<' && redirect.operator !== '<&';
    for (const word of scope.readWord(redirect.target)) {
      if (redirect.operator.endsWith('&') && /^(?:\d+-?|-)$/.test(word.text)) continue;
      scope.reading.files.push({ word, writes, folders: scope.folders });
    }
  }
  return findInput(redirects, scope);
}
