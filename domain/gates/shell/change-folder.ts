import { limits } from '../../limits/domain-limits.ts';
import { firstOperand } from './words/options.ts';
import { isHome, joinPath } from './words/paths.ts';
import { stay, union, type Moved, type Scope } from './words/scope.ts';
import { programName, type ShellWord } from './words/word.ts';

export const changesFolder = ([program]: readonly ShellWord[]): boolean =>
  program !== undefined && /^(?:cd|chdir|pushd|popd)$/.test(program.text);

/** The folders to which a `cd` leads. A shell goes up by the way that it came, a program by what the links say: both count. */
export function changeFolder(words: readonly ShellWord[], scope: Scope): Moved {
  const { reading, folders } = scope;
  const targets = findTargets(words);
  if (targets === undefined) {
    reading.problems.add('It changes to a folder that is only known when it runs.');
    return stay(scope);
  }
  if (scope.inFunction || (scope.inLoop && targets.some(({ text }) => text.includes('..')))) {
    reading.problems.add('It changes the folder in a loop or a function: where it ends up is only known when it runs.');
    return stay(scope);
  }
  const ok = union(...targets.map(({ text }) => (text === '-' ? [...reading.folders] : leadsTo(text, scope))));
  const all = union(folders, ok);
  if (all.length > limits.gates.folders) {
    reading.problems.add('It changes the folder too often to be followed.');
    return stay(scope);
  }
  for (const folder of ok) reading.folders.add(folder);
  return { ok, all };
}

function leadsTo(path: string, { folders, resolve }: Scope): string[] {
  return folders.flatMap((folder) => {
    const joined = joinPath(folder, path);
    return isHome(joined) ? [joined] : [joined, resolve(path, folder)];
  });
}

/** `packages/*`: some folder there, so that as many folders lie above it as the pattern says. */
const isFolderBelow = ({ kind, text }: ShellWord): boolean =>
  kind === 'pattern' &&
  text.includes('/') &&
  !/^[/~]|\*\*|[{}]/.test(text) &&
  !text.split('/').some((part) => /^\.(?:\.$|.*[*?[])/.test(part));

/** Undefined: nobody knows. `-` is one of the folders before. */
function findTargets(words: readonly ShellWord[]): readonly Pick<ShellWord, 'text'>[] | undefined {
  const name = programName(words[0]?.text ?? '');
  const operands = words.slice(firstOperand(words) ?? 1);
  if (operands.some((word) => word.kind !== 'plain' && !isFolderBelow(word))) return undefined;
  const [first] = operands;
  if (name === 'popd' || (name === 'pushd' && (first === undefined || /^[-+]\d/.test(first.text))))
    return [{ text: '-' }];
  return first === undefined ? [{ text: '~' }] : operands;
}
