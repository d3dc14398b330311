// The second half of `npm run build`: dist-client holds the package `@heddle/client`, which is all that the client's entry reaches in dist.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { listImportedNames, WrittenTypes } from './build-types.ts';

const root = join(import.meta.dirname, '..');
const built = join(root, 'dist');
const made = join(root, 'dist-client');

const Manifest = z.object({
  version: z.string(),
  license: z.string(),
  homepage: z.string(),
  repository: z.object({ type: z.string(), url: z.string() }),
  bugs: z.string(),
  publishConfig: z.object({ access: z.string() }),
  dependencies: z.record(z.string(), z.string()),
});

/** Sources of a client: neither the world (`activities`) nor the processes (`workers`). */
const rooms = ['client', 'domain', 'workflows'];

/** All that the client may depend on. Temporal's worker would bring its core, which is native, and the bundler. */
const allowed = ['@temporalio/client', '@temporalio/common', '@temporalio/proto', '@temporalio/workflow'];

interface Closure {
  /** Emitted files that the package takes as they are. */
  files: Set<string>;
  /** Declarations that need zod, with the names of the types that are imported from them. */
  schemas: Map<string, Set<string>>;
  packages: Set<string>;
}

/** Follows imports, of types too, from one emitted file to all that it needs. */
function collect(file: string, closure: Closure): void {
  if (closure.files.has(file)) return;
  closure.files.add(file);
  const imported = ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName);
  for (const name of imported) {
    if (name.startsWith('node:')) continue;
    if (!name.startsWith('.')) closure.packages.add(packageOf(name));
    else if (isSchema(locate(file, name))) noteNames(file, name, closure);
    else collect(locate(file, name), closure);
  }
}

const isSchema = (file: string): boolean => file.endsWith('.d.ts') && readFileSync(file, 'utf8').includes(`from 'zod'`);

function noteNames(file: string, specifier: string, { schemas }: Closure): void {
  const names = listImportedNames(file).flatMap((one) => (one.from === specifier ? one.names : []));
  if (names.length === 0) throw new Error(`${file} imports ${specifier} without names`);
  const schema = locate(file, specifier);
  schemas.set(schema, new Set([...(schemas.get(schema) ?? []), ...names]));
}

/** Emitted declarations name sources (`./x.ts`): beside each lies its declaration. */
function locate(file: string, name: string): string {
  const extension = file.endsWith('.d.ts') ? '.d.ts' : '.js';
  return join(dirname(file), name.replace(/\.(?:js|ts)$/, extension));
}

/** The source of an emitted declaration. */
const locateSource = (file: string): string => join(root, relative(built, file).replace(/\.d\.ts$/, '.ts'));

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

function checkWalls({ files, packages }: Closure): void {
  const outside = [...files].map((file) => relative(built, file)).filter((file) => !rooms.includes(dirOf(file)));
  const wrong = [...outside, ...[...packages].filter((name) => !allowed.includes(name))];
  if (wrong.length > 0) throw new Error(`the client must not need ${wrong.join(', ')}`);
}

const dirOf = (file: string): string => file.split('/')[0] ?? '';

/** Ranges, since a program that embeds the client has a Temporal client of its own, which should be the same. */
function describeDependencies(packages: ReadonlySet<string>, versions: Record<string, string>): Record<string, string> {
  const ranges: Record<string, string> = {};
  for (const name of [...packages].sort()) {
    const version = versions[name];
    if (version === undefined) throw new Error(`the client needs ${name}, which is no dependency`);
    ranges[name] = `^${version}`;
  }
  return ranges;
}

function put(file: string, text: string): void {
  const to = join(made, relative(built, file));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

const readme = `# @heddle/client

The client of [Heddle](https://github.com/heddle-dev/heddle): start, find, follow, answer and direct tasks on a Temporal
server. It holds no worker, no command line and no native module. \`@heddle/heddle\` holds all of it.

\`\`\`ts
import { HeddleClient } from '@heddle/client';

const heddle = await HeddleClient.connect({ address: 'localhost:7233' });
const task = await heddle.start({
  goal: 'Say hello',
  subtasks: [{ id: 'hello', description: 'Say it', executor: { kind: 'command', run: ['echo', 'hello'] } }],
});
for await (const event of task.follow()) console.log(event.text);
await heddle.close();
\`\`\`

[The client](https://github.com/heddle-dev/heddle/blob/main/docs/client.md) shows how to decide and to read results.
`;

const { dependencies, ...shared } = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const closure: Closure = { files: new Set(), schemas: new Map(), packages: new Set() };
for (const extension of ['.js', '.d.ts']) collect(join(built, 'client', `index${extension}`), closure);
checkWalls(closure);
rmSync(made, { recursive: true, force: true });
const types = new WrittenTypes(join(root, 'client', 'index.ts'));
for (const file of closure.files) put(file, readFileSync(file, 'utf8'));
for (const [file, names] of closure.schemas) put(file, types.write(locateSource(file), names));
cpSync(join(root, 'LICENSE'), join(made, 'LICENSE'));
writeFileSync(join(made, 'README.md'), readme);
const manifest = {
  name: '@heddle/client',
  description: 'The client of Heddle: agent tasks as durable Temporal workflows',
  ...shared,
  type: 'module',
  // Temporal's client needs this one.
  engines: { node: '>=20.3.0' },
  exports: {
    '.': { types: './client/index.d.ts', default: './client/index.js' },
    './package.json': './package.json',
  },
  dependencies: describeDependencies(closure.packages, dependencies),
};
writeFileSync(join(made, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
