import type { VerbTable } from './find-verb.ts';

const nodePackages = [
  ...['publish', 'unpublish', 'deprecate', 'undeprecate', 'npm publish', 'npm tag add', 'npm tag remove'],
  ...['dist-tag add', 'dist-tag rm', 'owner add', 'owner rm', 'access set', 'access public', 'access grant'],
  'recursive publish',
];
const images = [
  'push',
  'image push',
  'manifest push',
  'compose push',
  'trust sign',
  'plugin push',
  'buildx imagetools create',
];
const release = ['release create', 'release upload', 'release edit', 'release delete', 'release delete-asset'];
const java = ['deploy', 'release:perform', 'release:prepare'];

/** Commands that hand a package to everybody, or take it back. */
export const publishers: VerbTable = {
  ...{ npm: nodePackages, pnpm: nodePackages, yarn: nodePackages, bun: nodePackages, cnpm: nodePackages },
  ...{ lerna: ['publish'], changeset: ['publish'], nx: ['release'], jsr: ['publish'], deno: ['publish'] },
  ...{ vsce: ['publish', 'unpublish'], ovsx: ['publish'], np: [''], 'semantic-release': [''], 'release-it': [''] },
  ...{
    beachball: ['publish'],
    rush: ['publish'],
    auto: ['shipit', 'release', 'canary'],
    shipjs: ['trigger'],
    bumpp: [''],
  },
  ...{
    'release-please': ['github-release', 'release-pr', 'manifest-release'],
    'clean-publish': [''],
    'gh-pages': [''],
  },
  changelogen: [{ verbs: '', option: /^--(?:publish|push)/ }],
  'electron-builder': [{ verbs: '', option: /^(?:-p|--publish)/ }],
  ...{ 'electron-forge': ['publish'], 'pkg-pr-new': ['publish'], 'web-ext': ['sign'], 'chrome-webstore-upload': [''] },
  ...{
    expo: ['publish'],
    eas: ['submit', 'update'],
    surge: [''],
    'code-push': ['release'],
    appcenter: ['codepush release-react'],
  },
  ...{
    twine: ['upload'],
    poetry: ['publish'],
    uv: ['publish'],
    flit: ['publish'],
    hatch: ['publish'],
    pdm: ['publish'],
  },
  ...{ rye: ['publish'], maturin: ['publish', 'upload'], anaconda: ['upload'], conda: ['upload'] },
  cargo: [
    ...['publish', 'yank', 'workspaces publish', 'ws publish', 'unleash', 'dist upload'],
    { verbs: 'owner', option: /^(?:-a|-r|--add|--remove)/ },
    { verbs: 'release', option: /^(?:-[a-z]*x|--execute)$/ },
    { verbs: 'smart-release', option: /^(?:-[a-z]*e|--execute)$/ },
  ],
  ...{ 'wasm-pack': ['publish'], wapm: ['publish'], wasmer: ['publish'], gem: ['push', 'yank', 'owner'] },
  ...{ docker: images, podman: images, buildah: images, nerdctl: images, 'docker-compose': ['push'], jib: ['build'] },
  ...{
    crane: ['push', 'copy', 'cp', 'append', 'tag', 'delete'],
    skopeo: ['copy', 'sync', 'delete'],
    oras: ['push', 'cp', 'copy'],
  },
  ...{ regctl: ['image copy', 'image delete', 'tag delete'], ko: ['publish', 'resolve', 'apply'], cachix: ['push'] },
  ...{
    helm: ['push', 'cm-push'],
    cr: ['upload', 'index'],
    gh: release,
    glab: release,
    hub: release,
    tea: ['release create'],
  },
  ...{
    mvn: java,
    mvnw: java,
    sbt: ['publish', 'publishSigned', 'release', 'ci-release', 'sonatypeRelease'],
    lein: ['deploy'],
  },
  ...{ mill: ['publish'], jreleaser: ['full-release', 'release', 'publish', 'deploy', 'upload'], clojars: ['push'] },
  ...{ dotnet: ['nuget push', 'nuget delete'], nuget: ['push', 'delete'], paket: ['push'] },
  ...{ dart: ['pub publish'], flutter: ['pub publish'], pub: ['publish'], melos: ['publish'] },
  ...{ pod: ['trunk push', 'repo push', 'trunk delete', 'trunk deprecate'], swift: ['package-registry publish'] },
  fastlane: [
    'release',
    'deliver',
    'supply',
    'pilot upload',
    'upload_to_app_store',
    'upload_to_play_store',
    'upload_to_testflight',
  ],
  xcrun: [{ verbs: 'altool', option: /^--upload/ }, 'notarytool submit'],
  ...{
    mix: ['hex.publish', 'hex.retire'],
    rebar3: ['hex publish'],
    stack: ['upload'],
    cabal: ['upload'],
    luarocks: ['upload'],
  },
  ...{
    opam: ['publish'],
    nimble: ['publish'],
    elm: ['publish'],
    spago: ['publish'],
    bower: ['register', 'unregister'],
  },
  ...{
    snapcraft: ['upload', 'push', 'release'],
    goreleaser: ['release', 'publish'],
    conan: ['upload'],
    dput: [''],
    dupload: [''],
  },
  ...{
    'copr-cli': ['build'],
    'cpan-upload': [''],
    dzil: ['release'],
    minil: ['release'],
    brew: ['bump-formula-pr', 'bump-cask-pr'],
  },
  ...{
    'ansible-galaxy': ['collection publish', 'role import'],
    pdk: ['release publish'],
    knife: ['supermarket share'],
  },
  ...{ kaggle: ['datasets create', 'datasets version'], 'huggingface-cli': ['upload'], hf: ['upload', 'repo delete'] },
  ...{ rake: ['release'], buf: ['push'] },
};
