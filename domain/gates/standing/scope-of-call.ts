import { programOfPackage } from '../shell/words/package-name.ts';
import { isCertain, plainWord, programName, type ShellWord } from '../shell/words/word.ts';
import { showAll, showExactly } from './exact-words.ts';
import {
  bringsOwnCode,
  frameworkScripts,
  harmlessOptions,
  knownCommands,
  takesCode,
  type Commands,
  type Reach,
} from './known-commands.ts';

/*
 * An answer for good covers the program with its command and what names the thing run (a package without its version, a script); where the
 * command is not known, the words as they were asked about. So each call has at most one scope, and calls that do different things have
 * different ones.
 */

/** Options after a command may name another project, a plugin or a program: then it is not the command that was allowed. */
const leadsElsewhere = (words: readonly ShellWord[]): boolean =>
  words.some(({ text }, at) => {
    const name = programName(programOfPackage(text));
    const short = Object.hasOwn(bringsOwnCode.short, name) ? bringsOwnCode.short[name] : undefined;
    if (at > 0 && bringsOwnCode.long.test(text)) return true;
    return short !== undefined && words.slice(at + 1).some((word) => short.test(word.text));
  });

/** Calls that start calls: a bound, not a limit that anyone meets. */
const mostLayers = 4;

/** The scope that an answer for good about a call would have; undefined: nothing but this one call. */
export function scopeOfCall(words: readonly ShellWord[]): string | undefined {
  const scope = leadsElsewhere(words) ? undefined : knownScope(words, 0);
  return scope ?? showAll(words);
}

/** The words of a call with its own files named from the workspace: `./scripts/build.sh`, wherever it was started from. */
export function nameFiles(
  words: readonly ShellWord[],
  script: ShellWord | undefined,
  nameOfPath: (path: string) => string | undefined,
): readonly ShellWord[] | undefined {
  const named = words.map((word, at) => {
    const isFile = word === script || (at === 0 && word.text.includes('/'));
    if (!isFile || !isCertain(word)) return word;
    const name = nameOfPath(word.text);
    return name === undefined ? undefined : plainWord(name);
  });
  const [first, ...rest] = named;
  if (first === undefined || rest.includes(undefined)) return undefined;
  const ownNames = named.filter((word) => word !== undefined);
  return first.text === '.' ? [plainWord('source'), ...ownNames.slice(1)] : ownNames;
}

function knownScope(words: readonly ShellWord[], layer: number): string | undefined {
  const [program, second] = words;
  if (!isCertain(program) || layer > mostLayers) return undefined;
  const shown = showExactly(program);
  if (shown === undefined) return undefined;
  const behind = (scope: string | undefined, ...between: string[]): string | undefined =>
    scope === undefined ? undefined : [shown, ...between, scope].join(' ');
  const name = programName(program.text);
  if (frameworkScripts.has(name) && program.text.includes('/')) return behind(frameworkScope(words));
  if (program.text.includes('/')) return undefined;
  if (/^(?:python|pypy)$/.test(name) && second?.text === '-m')
    return behind(knownScope(words.slice(2), layer + 1), '-m');
  if (/^(?:php|python|ruby|node)$/.test(name) && isScript(second)) return behind(behindScript(words.slice(1)));
  return followWords(words, lookUp(knownCommands, name), layer);
}

const isScript = (word: ShellWord | undefined): word is ShellWord =>
  isCertain(word) && frameworkScripts.has(programName(word.text));

function behindScript(words: readonly ShellWord[]): string | undefined {
  const scope = frameworkScope(words);
  return scope === undefined ? undefined : `${words[0]?.text ?? ''} ${scope}`;
}

/** `artisan test --filter=x` is about `test`. */
function frameworkScope([, verb]: readonly ShellWord[]): string | undefined {
  return isCertain(verb) && /^[a-z][\w:.-]*$/i.test(verb.text) && !takesCode.test(verb.text) ? verb.text : undefined;
}

const lookUp = (commands: Commands, verb: string): Reach | undefined =>
  Object.hasOwn(commands, verb) ? commands[verb] : undefined;

/** Follows the words of a call as far as it is known what they mean. */
function followWords(words: readonly ShellWord[], reach: Reach | undefined, layer: number): string | undefined {
  const [first, ...rest] = words;
  const shown = first === undefined ? undefined : showExactly(first);
  if (shown === undefined || reach === undefined) return undefined;
  const scope = scopeBehind(rest, reach, layer);
  return scope === undefined ? undefined : scope === '' ? shown : `${shown} ${scope}`;
}

function scopeBehind(rest: readonly ShellWord[], reach: Reach, layer: number): string | undefined {
  switch (reach) {
    case 'any':
      return '';
    case 'operand':
      return nameOperand(rest);
    case 'packages':
      return namePackages(rest);
    case 'program':
      return nameProgram(rest, layer);
    default:
      return isCertain(rest[0]) ? followCommands(rest, rest[0].text, { commands: reach, layer }) : undefined;
  }
}

function followCommands(
  words: readonly ShellWord[],
  verb: string,
  { commands, layer }: { commands: Commands; layer: number },
): string | undefined {
  const reach = lookUp(commands, verb);
  if (reach !== undefined) return followWords(words, reach, layer);
  return lookUp(commands, '*') === 'program' && !verb.startsWith('-') ? nameProgram(words, layer) : undefined;
}

/** The words behind options that change nothing of what follows; none where there are only such options. */
function behindOptions(words: readonly ShellWord[], harmless: RegExp): readonly ShellWord[] {
  const start = words.findIndex((word) => !isCertain(word) || !harmless.test(word.text));
  return start === -1 ? [] : words.slice(start);
}

function nameOperand(words: readonly ShellWord[]): string | undefined {
  const [operand] = behindOptions(words, harmlessOptions.operand);
  return isCertain(operand) && /^[\w@.:/][\w@.:/-]*$/.test(operand.text) ? operand.text : undefined;
}

/** A package of a registry: `name`, `@scope/name`, either with a version. */
const packageForm = /^((?:@[\w.-]+\/)?[a-z0-9_][\w.-]*)(?:@[\w.^~*-]*)?$/i;

const nameOfPackage = (word: ShellWord | undefined): string | undefined =>
  isCertain(word) ? packageForm.exec(word.text)?.[1] : undefined;

function namePackages(words: readonly ShellWord[]): string | undefined {
  const names = words
    .filter((word) => !isCertain(word) || !harmlessOptions.packages.test(word.text))
    .map((word) => nameOfPackage(word));
  return names.every((name) => name !== undefined) ? names.join(' ') : undefined;
}

/** A package with what it is told to do, as far as that is known; else with all its words. */
function nameProgram(words: readonly ShellWord[], layer: number): string | undefined {
  const start = behindOptions(words, harmlessOptions.program);
  const dashes = start[0]?.text === '--' ? ['--'] : [];
  const [first, ...rest] = start.slice(dashes.length);
  const name = nameOfPackage(first);
  if (name === undefined) return undefined;
  const reach = lookUp(knownCommands, programOfPackage(name));
  // A program of the same name in another scope is another program.
  const isOwn = !name.startsWith('@') || ownScopes.has(name);
  const scope = isOwn && reach !== undefined ? scopeBehind(rest, reach, layer + 1) : undefined;
  const shown = scope ?? showAll(rest);
  return shown === undefined ? undefined : [...dashes, name, ...(shown === '' ? [] : [shown])].join(' ');
}

const ownScopes: ReadonlySet<string> = new Set(['@biomejs/biome', '@playwright/test']);
