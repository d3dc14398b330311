import { plainWord, programName, type ShellWord } from '../shell/words/word.ts';

/** Programs that run, build or install the files among their words. */
const runners = new Set(
  [
    'uv pipx tsx ts-node deno bun node java go make gmake docker podman pip npm pnpm yarn dpkg apt apt-get rpm dnf yum gem wine python perl ruby lua php rscript julia run-parts',
    'pytest jest vitest mocha runhaskell runghc kotlin dart swift wasmtime wasmer ansible-playbook just task crystal nim zig groovy elixir osascript crontab at psql mysql sqlite3',
  ].flatMap((names) => names.split(' ')),
);

/** Programs that start one of those by its name. */
const launchers = /^(?:p?npx|bunx|uvx)$/;

/** Files that programs run or build without being told their names. */
const ownFiles: Readonly<Record<string, readonly string[]>> = {
  ...{ make: ['Makefile', 'makefile', 'GNUmakefile'], just: ['justfile', 'Justfile'], task: ['Taskfile.yml'] },
  ...{ npm: ['package.json'], pnpm: ['package.json'], yarn: ['package.json'], bun: ['package.json'] },
  ...{ pip: ['setup.py', 'pyproject.toml'], uv: ['pyproject.toml'], pytest: ['conftest.py'] },
  ...{ docker: ['Dockerfile', 'compose.yml', 'docker-compose.yml'], podman: ['Containerfile', 'Dockerfile'] },
  ...{ gradle: ['build.gradle', 'build.gradle.kts'], mvn: ['pom.xml'], cmake: ['CMakeLists.txt'] },
};

/** Endings of code and of packages: data that a program is given is not run. */
const code =
  /(?:^|\/)(?:makefile|gnumakefile|justfile|dockerfile|[^/]*\.(?:sh|bash|zsh|py|pyz|[cm]?js|[cm]?ts|jar|class|go|pl|pm|rb|lua|php|r|jl|hs|kts?|dart|swift|wasm|exe|deb|rpm|apk|whl|gem|tgz|mk|nim|cr|zig|groovy|exs?|scpt|sql))$/i;

/** The files among the words of a program that it runs, builds or installs, besides its script. */
export function startedFiles(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const runs = runners.has(name) || (launchers.test(name) && words.some(({ text }) => runners.has(programName(text))));
  return runs ? words.slice(1).filter(({ text }) => !text.startsWith('-') && code.test(text)) : [];
}

/** The files that a program runs or builds without being told their names. */
export const listOwnFiles = (name: string): readonly ShellWord[] =>
  (Object.hasOwn(ownFiles, name) ? (ownFiles[name] ?? []) : []).map(plainWord);
