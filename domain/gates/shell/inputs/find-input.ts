import type { CommandNode, HereDoc, HereString, Redirection } from 'unbash';
import { noInput, type ProgramInput } from '../words/command-reading.ts';
import type { Scope } from '../words/scope.ts';
import { isCertain, plainWord, programName } from '../words/word.ts';
import { listedFiles } from './listed-files.ts';

/** The input that redirections give to a command. */
export function findInput(redirects: readonly Redirection[], scope: Scope): ProgramInput {
  let { input } = scope;
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === 'FileDescriptor' && redirect.descriptor.value !== 0) continue;
    const isOwn = redirect.descriptor === undefined || redirect.descriptor.type === 'FileDescriptor';
    if (redirect.type === 'HereDoc') input = readHereDoc(redirect, isOwn);
    else if (redirect.type === 'HereString') input = textOfWord(redirect, isOwn, scope);
    else if (redirect.operator === '<' || redirect.operator === '<>' || redirect.operator === '<&')
      input = { kind: 'open', network: false };
  }
  return input;
}

/** The input of a group of commands, or one that comes through a pipe, may be read by others before. */
export const ownInput = (input: ProgramInput, inherited: ProgramInput): ProgramInput =>
  input === inherited && input.kind === 'text' ? { kind: 'text', text: input.text } : input;

function readHereDoc({ body, delimiter }: HereDoc, isOwn: boolean): ProgramInput {
  const { text, parts = [] } = body;
  if (!parts.every(({ type }) => type === 'Literal')) return { kind: 'words', network: false };
  return { kind: 'text', text, exact: isOwn && (delimiter?.quoted === true || !text.includes('\\')) };
}

function textOfWord({ target }: HereString, isOwn: boolean, { readWord }: Scope): ProgramInput {
  if (target === undefined) return noInput;
  const words = readWord(target);
  if (words.some(({ kind }) => kind === 'open')) return { kind: 'words', network: false };
  const exact = isOwn && words.length === 1 && words.every(isCertain);
  return { kind: 'text', text: words.map(({ text }) => text).join(' '), exact };
}

/** The input that a part of a pipeline hands to the next one. */
export function findOutput(node: CommandNode, scope: Scope, network: boolean): ProgramInput {
  if (node.type !== 'Command') return { kind: 'open', network };
  const name = programName(node.name?.value ?? '');
  const words = node.args.flatMap((word) => (word.type === 'Word' ? scope.readWord(word) : []));
  if (name === 'echo' || name === 'printf') {
    if (words.some(({ kind }) => kind === 'open')) return { kind: 'words', network };
    return { kind: 'text', text: words.map(({ text }) => text).join(' ') };
  }
  const listed = listedFiles(name, [plainWord(name), ...words], scope.input);
  if (listed !== undefined && node.redirects.length === 0 && node.prefix.length === 0) return listed;
  const passes = name === 'tee' || (name === 'cat' && words.length === 0);
  return passes ? findInput(node.redirects, scope) : { kind: 'open', network };
}
