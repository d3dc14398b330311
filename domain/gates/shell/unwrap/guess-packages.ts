import type { Inner } from '../words/inner.ts';
import { firstOperand, type OptionSpec } from '../words/options.ts';
import { programOfPackage } from '../words/package-name.ts';
import { isCertain, plainWord, type ShellWord } from '../words/word.ts';

/*
 * Programs that start a program out of a package. What they start is read as that program, without the version or the scope that stands in
 * its name: what is found so asks only when it is dangerous by itself, and the one that starts it is asked about as ever.
 */

interface PackageRunner extends OptionSpec {
  /** Options whose value is a text for a shell. */
  text?: RegExp;
}

const npx: PackageRunner = {
  values: 'pcwn',
  long: [
    'package',
    'call',
    'workspace',
    'registry',
    'cache',
    'userconfig',
    'prefix',
    'script-shell',
    'shell',
    'node-arg',
  ],
  text: /^(?:-c|--call)$/,
};
const uvx: PackageRunner = {
  values: 'pnifCP',
  long: [
    'from',
    'with',
    'with-editable',
    'with-requirements',
    'python',
    'index',
    'index-url',
    'default-index',
    'directory',
    'spec',
    'pip-args',
    'env-file',
  ],
};
const condaRun: PackageRunner = { values: 'np', long: ['name', 'prefix', 'cwd'] };
const deno: PackageRunner = { values: 'cLr', long: ['config', 'import-map', 'lock', 'location', 'seed'] };

/** Programs that do nothing else. */
const runners: Readonly<Record<string, PackageRunner>> = {
  ...{ npx, pnpx: npx, bunx: npx, 'pnpm-dlx': npx, uvx, dnx: {}, 'npx-run': npx, tnpx: npx, cnpx: npx, corepack: {} },
};

/** Programs that do so behind a verb. */
const behind: Readonly<Record<string, Readonly<Record<string, PackageRunner>>>> = {
  npm: { exec: npx, x: npx },
  cnpm: { exec: npx, x: npx },
  pnpm: { exec: npx, dlx: npx, x: npx, node: {} },
  yarn: { exec: npx, dlx: npx, run: {}, node: {} },
  bun: { x: npx, run: {} },
  pipx: { run: uvx },
  uv: { run: uvx },
  rye: { run: {} },
  poetry: { run: {} },
  pdm: { run: {} },
  pipenv: { run: {} },
  hatch: { run: {} },
  bundle: { exec: {} },
  composer: { exec: {} },
  deno: { run: deno, x: deno, install: deno },
  go: { run: { values: '', long: [] }, tool: {} },
  dotnet: { tool: {} },
  conda: { run: condaRun },
  mamba: { run: condaRun },
  micromamba: { run: condaRun },
  dart: { run: {} },
  volta: { run: { long: ['node', 'npm', 'pnpm', 'yarn'] } },
  mise: { exec: {}, x: {} },
  asdf: { exec: {} },
  rbenv: { exec: {} },
  pyenv: { exec: {} },
  nvm: { exec: {}, run: {} },
  fnm: { exec: { long: ['using'] } },
};

/** Verbs of package managers; any other first word is a script, or a program of a package. */
const managerVerbs =
  /^(?:add|audit|autoclean|bin|build|cache|catalog|ci|completion|config|constraints|create|dedupe|deploy|dlx|doctor|env|exec|explain|fetch|generate-lock-entry|global|help|i|import|info|init|install|install-test|it|licenses|link|list|ll|login|logout|ls|node|npm|outdated|owner|pack|patch|patch-commit|patch-remove|plugin|plugins|pm|policies|prune|publish|rb|rebuild|recursive|remove|rm|root|run|run-script|search|self-update|server|set|setup|stage|start|store|tag|team|test|t|tst|un|uninstall|unlink|unplug|up|update|upgrade|upgrade-interactive|version|versions|view|why|workspace|workspaces|x)$/;
const managers = new Set(['pnpm', 'yarn', 'bun']);
const managerSpec: OptionSpec = { values: 'CF', long: ['dir', 'filter', 'cwd', 'prefix', 'workspace-root', 'config'] };

export function guessPackages(name: string, words: readonly ShellWord[]): Inner[] {
  const only = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (only !== undefined) return startedBy(words, 1, only);
  const verbs = Object.hasOwn(behind, name) ? behind[name] : undefined;
  if (verbs === undefined) return [];
  const at = words.findIndex(({ text }, index) => index > 0 && Object.hasOwn(verbs, text));
  const runner = verbs[words[at]?.text ?? ''];
  if (runner !== undefined) return startedBy(words, at + 1, runner);
  if (!managers.has(name)) return [];
  const start = firstOperand(words, managerSpec);
  const first = start === undefined ? undefined : words[start];
  if (first === undefined || start === undefined) return [];
  // `yarn workspace NAME PROGRAM`.
  if (first.text === 'workspace') return guessPackage(words.slice(start + 2));
  return managerVerbs.test(first.text) ? [] : guessPackage(words.slice(start));
}

function startedBy(words: readonly ShellWord[], from: number, { text, ...spec }: PackageRunner): Inner[] {
  const texts = words.flatMap((word, at): Inner[] =>
    at > from && text?.test(words[at - 1]?.text ?? '') === true && isCertain(word)
      ? [{ kind: 'text', text: word.text, of: [word], guess: true }]
      : [],
  );
  const start = firstOperand(words, spec, from);
  if (start === undefined) return texts;
  const rest = words.slice(start);
  // The program of the package may be named: `npm exec pkg -- words`.
  const [first, second, ...more] = rest;
  return [...texts, ...guessPackage(second?.text === '--' && first !== undefined ? [first, ...more] : rest)];
}

function guessPackage(words: readonly ShellWord[]): Inner[] {
  const [first, ...rest] = words;
  if (!isCertain(first)) return [];
  return [{ kind: 'guess', words: [plainWord(programOfPackage(first.text)), ...rest] }];
}
