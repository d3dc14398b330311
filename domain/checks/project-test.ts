import type { ProjectTest } from '../types/planner.ts';
import { isTable } from '../input/is-table.ts';

/** Files that name a project's tests, the most trustworthy first. */
const readers: readonly [file: string, read: (text: string, names: ReadonlySet<string>) => string | undefined][] = [
  ['package.json', packageTest],
  ['Makefile', makeTest],
  ['makefile', makeTest],
  ['GNUmakefile', makeTest],
  ['pyproject.toml', (text) => (mentionsPytest(text) ? 'pytest' : undefined)],
  ['Cargo.toml', (text) => (/^\s*\[(?:package|workspace)\]/m.test(text) ? 'cargo test' : undefined)],
  ['go.mod', (text) => (/^\s*module\s/m.test(text) ? 'go test ./...' : undefined)],
];

export const testFiles: readonly string[] = readers.map(([file]) => file);

/** Lock files, whose presence names the program that runs the scripts of a package.json; without one it is npm. */
const runners: readonly [lockFile: string, command: string][] = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['bun.lockb', 'bun run test'],
];

export const lockFiles: readonly string[] = runners.map(([file]) => file);

/**
 * Finds the test commands that the files of a project name, the most trustworthy first. `texts` are the readable files, `names` the
 * existing lock files. Never throws.
 */
export function projectTests(texts: ReadonlyMap<string, string>, names: ReadonlySet<string>): ProjectTest[] {
  return readers.flatMap(([file, read]) => {
    const text = texts.get(file);
    const command = text === undefined ? undefined : read(text, names);
    return command === undefined ? [] : [{ command, file }];
  });
}

function packageTest(text: string, names: ReadonlySet<string>): string | undefined {
  const scripts = getProperty(parseJson(text), 'scripts');
  const script = getProperty(scripts, 'test');
  if (typeof script !== 'string' || script.trim() === '' || isPlaceholder(script)) return undefined;
  return runners.find(([file]) => names.has(file))?.[1] ?? 'npm test';
}

/** `npm init` writes this script where there is no test. */
const isPlaceholder = (script: string): boolean => /no test specified/i.test(script) && /exit\s+1/.test(script);

const getProperty = (value: unknown, key: string): unknown =>
  isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function makeTest(text: string): string | undefined {
  const targets = new Set(text.split('\n').flatMap(parseTargets));
  const target = ['test', 'check'].find((name) => targets.has(name));
  return target === undefined ? undefined : `make ${target}`;
}

/** Reads the names before the colon of a rule; `a := b` is not a rule. */
function parseTargets(line: string): string[] {
  const colon = line.indexOf(':');
  if (colon <= 0 || /^[\s#]/.test(line) || line.includes('=') || line.startsWith('.')) return [];
  return line.slice(0, colon).trim().split(/\s+/);
}

const mentionsPytest = (text: string): boolean =>
  text.split('\n').some((line) => !line.trimStart().startsWith('#') && /\bpytest\b/.test(line));

/** Words by which the runners of package.json start its script `test`, alone or behind an installation. */
const scriptWords: ReadonlySet<string> = new Set(['test', 't', 'tst', 'it', 'cit', 'install-test']);
const scriptRunners: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** True where a shell command runs what the project calls its test, in this spelling or another. */
export function runsProjectTest(command: string, { command: own }: ProjectTest): boolean {
  const [program = '', verb] = own.split(' ');
  return command.split(/&&|\|\||[;|&\n(){}]/).some((part) => {
    const [first = '', ...rest] = splitWords(part);
    if (scriptRunners.has(program)) return scriptRunners.has(first) && rest.some((word) => scriptWords.has(word));
    if (verb === undefined) return first === program || rest.join(' ').startsWith(`-m ${program}`);
    return first === program && rest.includes(verb);
  });
}

/** The words of a simple command, without variables that are set in front of it. */
const splitWords = (part: string): string[] =>
  part
    .trim()
    .replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, '')
    .split(/\s+/);
