import { ask, quote, type Finding } from './finding.ts';
import { hasVerbs } from './programs/verbs.ts';
import type { Word } from './shell/word.ts';

const nodePackages = [
  'publish',
  'unpublish',
  'deprecate',
  'npm publish',
  'dist-tag add',
  'dist-tag rm',
  'owner add',
  'owner rm',
];
const images = ['push', 'image push', 'manifest push', 'compose push'];
const release = ['release create', 'release upload', 'release edit', 'release delete'];

/** Commands that hand a package to everybody, or take it back. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  ...{ npm: nodePackages, pnpm: nodePackages, yarn: nodePackages, bun: nodePackages, cnpm: nodePackages },
  ...{ lerna: ['publish'], changeset: ['publish'], nx: ['release'], jsr: ['publish'], deno: ['publish'] },
  ...{ vsce: ['publish', 'unpublish'], ovsx: ['publish'], np: [''], 'semantic-release': [''], 'release-it': [''] },
  ...{
    twine: ['upload'],
    poetry: ['publish'],
    uv: ['publish'],
    flit: ['publish'],
    hatch: ['publish'],
    pdm: ['publish'],
  },
  ...{ rye: ['publish'], maturin: ['publish', 'upload'], cargo: ['publish', 'yank'], gem: ['push', 'yank'] },
  ...{ docker: images, podman: images, buildah: images, nerdctl: images, crane: ['push', 'copy'], skopeo: ['copy'] },
  ...{ oras: ['push'], helm: ['push'], gh: release, glab: release, hub: release, tea: ['release create'] },
  ...{ mvn: ['deploy', 'release:perform'], mvnw: ['deploy', 'release:perform'], sbt: ['publish'], lein: ['deploy'] },
  ...{
    dotnet: ['nuget push', 'nuget delete'],
    nuget: ['push', 'delete'],
    dart: ['pub publish'],
    flutter: ['pub publish'],
  },
  ...{
    pod: ['trunk push', 'repo push'],
    mix: ['hex.publish'],
    stack: ['upload'],
    cabal: ['upload'],
    luarocks: ['upload'],
  },
  ...{ anaconda: ['upload'], snapcraft: ['upload', 'push', 'release'], goreleaser: ['release'], conan: ['upload'] },
  rake: ['release'],
};

/** Words that mean it wherever they stand: goals of a build, options of a build of images. */
const anywhere: Readonly<Record<string, RegExp>> = {
  mvn: /^(?:[\w.-]+:)*deploy(?:-file)?$/,
  mvnw: /^(?:[\w.-]+:)*deploy(?:-file)?$/,
  gradle: /^(?:[\w:-]*:)?(?:publish(?:[A-Z]\w*)?|uploadArchives)$/,
  gradlew: /^(?:[\w:-]*:)?(?:publish(?:[A-Z]\w*)?|uploadArchives)$/,
  docker: /^--push$/,
  podman: /^--push$/,
  python: /^setup\.py$/,
  'setup.py': /^upload$/,
};

export function publishing(name: string, words: readonly Word[]): Finding[] {
  const mark = Object.hasOwn(anywhere, name) ? anywhere[name] : undefined;
  const isMarked = mark !== undefined && words.some(({ text }, at) => at > 0 && mark.test(text) && !isLocal(text));
  const known = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  const isVerb = known?.some((one) => one === '' || hasVerbs(words, one)) ?? false;
  // `python setup.py sdist upload`.
  if (name === 'python' && !words.some(({ text }) => text === 'upload')) return [];
  if ((!isMarked && !isVerb) || words.some(({ text }) => /^--(?:dry-run|help)$/.test(text))) return [];
  return [ask('publish', `${quote(name)} makes a package public, or takes a public one back.`)];
}

/** To the cache of this machine. */
const isLocal = (text: string): boolean => text.endsWith('ToMavenLocal');
