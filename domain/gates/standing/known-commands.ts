/*
 * Programs of which it is known what their words mean, so that an answer for good can cover one of their commands with other arguments. What
 * is not listed is covered as it was asked about, word for word.
 */

/** How far an answer reaches behind the words that lead there. */
export type Reach =
  /** The command is the same with any words after these. */
  | 'any'
  /** The next word names what is meant: a script, a remote. */
  | 'operand'
  /** All operands are packages, whatever their versions. */
  | 'packages'
  /** The next word is a package, or a program, that is started. */
  | 'program'
  | Commands;

/** The reach of an answer, by the next word. */
export interface Commands {
  readonly [verb: string]: Reach | undefined;
}

const all = (reach: Reach, verbs: string): Commands =>
  Object.fromEntries(verbs.split(' ').map((verb) => [verb, reach]));

/** Programs without commands of their own. Whatever may reach the network, or deletes, is not among them. */
const tools = all(
  'any',
  [
    'touch mkdir cp mv ln tee rmdir truncate tar zip unzip gzip gunzip bzip2 xz zstd patch dos2unix unix2dos split base64 sed gsed',
    'eslint prettier tsc jest vitest mocha ava tap c8 tsup rollup esbuild stylelint oxlint oxfmt knip depcheck madge typedoc vue-tsc svelte-check markdownlint markdownlint-cli2 cspell lint-staged',
    'pytest mypy pyright black isort flake8 pylint bandit vulture rubocop rspec phpunit phpstan psalm pest gofmt goimports staticcheck rustfmt',
    'gcc g++ cc c++ clang clang++ ld ar javac kotlinc ghc clang-format clang-tidy shellcheck shfmt hadolint actionlint yamllint codespell ktlint swiftlint',
  ].join(' '),
);

const looks = 'ls list inspect history ps logs top port diff stats events images version info';
const engine: Commands = {
  ...all('any', looks),
  ...all(all('any', 'ls list inspect logs top history ps'), 'image container volume network context builder'),
  compose: all('any', 'ps logs config images ls top version'),
};

const nodeManager: Commands = {
  ...all('any', 'test t tst outdated ls list ll view info why explain fund doctor ping prune dedupe start stop'),
  ...all('operand', 'run run-script'),
  ...all('packages', 'install i add ci'),
  ...all('program', 'exec x dlx'),
};
/** In these managers the first word may be a program of a package, too. */
const nodeRunner: Commands = { ...nodeManager, '*': 'program' };

const git: Commands = {
  ...all(
    'any',
    'add commit merge rebase cherry-pick revert tag branch switch checkout restore reset mv rm apply am diff log show',
  ),
  ...all('any', 'init clean gc grep blame format-patch archive describe fsck'),
  ...all('operand', 'push pull fetch'),
  stash: all('any', 'push pop apply list show save branch'),
  submodule: all('any', 'update status init sync summary'),
  worktree: all('any', 'add list prune lock unlock'),
};

export const knownCommands: Commands = {
  ...tools,
  ...all(engine, 'docker podman nerdctl'),
  ...all(all('any', 'ps logs config images top version'), 'docker-compose podman-compose'),
  ...{ git, npm: nodeManager, pnpm: nodeRunner, yarn: nodeRunner, bun: nodeRunner },
  ...all('program', 'npx pnpx bunx uvx'),
  cargo: {
    ...all('any', 'build b test t check c clippy fmt doc bench tree metadata clean fetch vendor'),
    ...{ nextest: all('any', 'run list'), add: 'packages' },
  },
  go: {
    ...all('any', 'build test vet fmt generate list version doc'),
    mod: all('any', 'tidy download verify graph why vendor'),
  },
  pip: all('any', 'list show freeze check'),
  uv: { ...all('any', 'sync lock tree'), run: 'program' },
  pipx: { list: 'any', run: 'program' },
  poetry: { ...all('any', 'install lock check show build'), run: 'program' },
  ...{ pdm: { run: 'program' }, pipenv: { run: 'program' }, hatch: { run: 'program' }, rye: { run: 'program' } },
  bundle: { ...all('any', 'install check list'), exec: 'program' },
  composer: all('any', 'install dump-autoload validate show'),
  dotnet: all('any', 'build test restore format clean'),
  mix: all('any', 'test compile format deps.get'),
  ...{ dune: all('any', 'build test'), zig: all('any', 'build test fmt'), swift: all('any', 'build test') },
  ...{ flutter: all('any', 'test analyze build'), dart: all('any', 'test analyze format compile') },
  ...{
    ruff: all('any', 'check format'),
    biome: all('any', 'check lint format ci'),
    coverage: all('any', 'report html xml json'),
  },
  ...{
    playwright: all('any', 'test'),
    cypress: all('any', 'run'),
    vite: all('any', 'build preview'),
    next: all('any', 'build lint'),
  },
  ...{
    prisma: all('any', 'generate validate format'),
    storybook: all('any', 'build'),
    'golangci-lint': all('any', 'run'),
  },
};

/** Options that may come before the word that matters, and change nothing of it. */
export const harmlessOptions: Readonly<Record<'operand' | 'packages' | 'program', RegExp>> = {
  operand: /^(?:-u|--set-upstream|-q|--quiet|-v|--verbose|-s|--silent|--tags|--ff-only)$/,
  packages: /^(?:-[DEPOSd]|--(?:save(?:-dev|-prod|-exact|-optional|-peer)?|dev|exact|no-audit|no-fund|silent|quiet))$/,
  program: /^(?:-[yq]|--(?:yes|no|no-install|quiet|silent))$/,
};

const config = /^-[cprR]/;
const folder = /^-[CcwF]/;

/** Options by which a known command works elsewhere or runs other code: by name, and letters by program. */
export const bringsOwnCode: Readonly<{ long: RegExp; short: Readonly<Record<string, RegExp>> }> = {
  long: /^--?(?:prefix|dir|cwd|directory|chdir|manifest-path|package-path|project|solution|config|config-file|configuration|bootstrap|workspaces?|exec|toolexec|rulesdir|resolve-plugins\S*|plugins?|require|import|loader|init-script|registry|rootdir|root|runner|script-shell|node-options|global-?setup|setup-?files?|environment|reporters?|processor|processorpath)(?:=|$)/i,
  short: {
    ...{ npm: folder, pnpm: /^-[CcwF]|^--filter/, cargo: folder, go: /^-(?:C$|exec|toolexec|modfile|overlay|vettool)/ },
    ...{ eslint: config, prettier: config, jest: config, vitest: config, mocha: config, ava: config, tap: config },
    ...{
      pytest: config,
      rspec: config,
      phpunit: /^-c/,
      rubocop: config,
      mypy: config,
      pylint: config,
      stylelint: config,
    },
    ...{ sed: /^(?:-[a-zA-Z]*f|--f)/, gsed: /^(?:-[a-zA-Z]*f|--f)/, tsc: /^-[pb]/, playwright: /^-c/, psalm: /^-c/ },
    ...{
      ghc: /^-(?:e|F|pgm|package-env)/,
      kotlinc: /^-(?:script|Xplugin|e)/,
      javac: /^-(?:processor|A|J)/,
      ar: /^--plugin/,
    },
  },
};

/** Scripts of frameworks, whose next word is a command. */
export const frameworkScripts: ReadonlySet<string> = new Set([
  'artisan',
  'console',
  'manage.py',
  'craft',
  'spark',
  'ace',
  'ace.js',
]);

/** Their commands that take code, or another command. */
export const takesCode = /^(?:shell(?:_plus)?|dbshell|tinker|eval|exec|runscript|dbal:run-sql|doctrine:query:\w+)$/;
