/** Packages whose program has another name. */
const programs: Readonly<Record<string, string>> = {
  '@changesets/cli': 'changeset',
  '@lerna-lite/cli': 'lerna',
  '@lerna-lite/publish': 'lerna',
  '@vscode/vsce': 'vsce',
  '@semantic-release/cli': 'semantic-release',
  '@aws-amplify/cli': 'amplify',
  '@angular/cli': 'ng',
  '@nestjs/cli': 'nest',
  '@mikro-orm/cli': 'mikro-orm',
  '@cloudflare/wrangler': 'wrangler',
  '@railway/cli': 'railway',
  '@google/clasp': 'clasp',
  '@mermaid-js/mermaid-cli': 'mmdc',
  'aws-cdk': 'cdk',
  'firebase-tools': 'firebase',
  'netlify-cli': 'netlify',
  'eas-cli': 'eas',
  'sequelize-cli': 'sequelize',
  'typeorm-ts-node-commonjs': 'typeorm',
  'typeorm-ts-node-esm': 'typeorm',
  'heddle-cli': 'heddle',
  'git-filter-repo': 'git-filter-repo',
};

/** The program that a package of npm, PyPI or Go brings, whatever version is asked for: `npm:@changesets/cli@2` is `changeset`. */
export function programOfPackage(text: string): string {
  const installed = /(?:^|\/)node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(text)?.[1];
  const bare = (installed ?? text)
    .replace(/^(?:npm|jsr|node|pypi):\/?/i, '')
    .replace(/\[[^\]]*\]/, '')
    .replace(/^([^=<>~!]+)[=<>~!]=.*$/, '$1')
    .replace(/^git\+(.*?)(?:#.*)?$/, '$1')
    .replace(/\.git$/, '')
    // An output of a flake of Nix.
    .replace(/^(?:nixpkgs|\.)#/, '');
  const at = bare.lastIndexOf('@');
  const name = (at > 0 ? bare.slice(0, at) : bare).toLowerCase();
  if (Object.hasOwn(programs, name)) return programs[name] ?? name;
  const parts = name.split('/').filter((part) => part !== '' && !/^v\d+$/.test(part));
  const last = parts.at(-1) ?? name;
  // `@scope/cli` is called like its scope.
  return last === 'cli' && parts.length > 1 ? (parts.at(-2) ?? last).replace(/^@/, '') : last;
}
