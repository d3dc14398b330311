/** The reason why a program fills a folder: it can fill it again. The content of a cache is of no interest to people. */
export type GeneratedKind = 'packages' | 'output' | 'cache';

/**
 * Folders that snapshots leave out, by their names, each with what fills it. They hold tens of thousands of files that a command can make
 * again. A name is here when its usual content is made by a program: `bin`, `obj`, `out`, `env`, `deps` and `coverage` are not, since
 * people keep their own files below these names too.
 */
const generated: Readonly<Record<string, { kind: GeneratedKind; by: string }>> = {
  node_modules: { kind: 'packages', by: 'npm, pnpm, Yarn and Bun' },
  vendor: { kind: 'packages', by: 'Go, Composer and Bundler' },
  Pods: { kind: 'packages', by: 'CocoaPods' },
  '.venv': { kind: 'packages', by: 'Python, uv and Poetry' },
  venv: { kind: 'packages', by: 'Python' },
  '.tox': { kind: 'packages', by: 'tox, with an environment for each run' },
  '.nox': { kind: 'packages', by: 'nox, with an environment for each run' },
  '.terraform': { kind: 'packages', by: 'Terraform, with its providers' },
  target: { kind: 'output', by: 'Cargo and Maven' },
  dist: { kind: 'output', by: 'bundlers, and builds of Python packages' },
  build: { kind: 'output', by: 'Gradle, CMake, setuptools and bundlers' },
  '.next': { kind: 'output', by: 'Next.js' },
  '.nuxt': { kind: 'output', by: 'Nuxt' },
  '.output': { kind: 'output', by: 'Nuxt and Nitro' },
  '.svelte-kit': { kind: 'output', by: 'SvelteKit' },
  '.dart_tool': { kind: 'output', by: 'Dart and Flutter' },
  __pycache__: { kind: 'cache', by: 'Python' },
  '.pytest_cache': { kind: 'cache', by: 'pytest' },
  '.mypy_cache': { kind: 'cache', by: 'mypy' },
  '.ruff_cache': { kind: 'cache', by: 'Ruff' },
  '.gradle': { kind: 'cache', by: 'Gradle' },
  '.turbo': { kind: 'cache', by: 'Turborepo' },
  '.parcel-cache': { kind: 'cache', by: 'Parcel' },
};

export const generatedNames: readonly string[] = Object.keys(generated);

/** Undefined for a name that is no generated folder's. */
export function findGeneratedKind(name: string): GeneratedKind | undefined {
  return Object.hasOwn(generated, name) ? generated[name]?.kind : undefined;
}

/** Lists the generated folders that a path names or lies in, the topmost first. */
export function listGeneratedAbove(path: string): string[] {
  const names = path.split('/');
  return names.flatMap((name, index) =>
    findGeneratedKind(name) === undefined ? [] : [names.slice(0, index + 1).join('/')],
  );
}
