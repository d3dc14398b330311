// `npm run build`: JavaScript and the workflow bundle for the installed package, since Node strips no types under node_modules.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleWorkflows } from '../workers/worker/workflow-bundle.ts';
import { buildProgram, copyPrompts } from './build-program.ts';
import { WrittenTypes } from './build-types.ts';

const root = join(import.meta.dirname, '..');

/** Writes a type out in place of the one that the compiler emitted, which lacks the comments of its keys. */
function keepComments(file: string, name: string): void {
  const emitted = join(root, 'dist', `${file}.d.ts`);
  const source = join(root, `${file}.ts`);
  const written = new WrittenTypes(source).write(source, new Set([name]));
  const text = readFileSync(emitted, 'utf8');
  const declared = new RegExp(`/\\*\\*(?:(?!\\*/)[^])*\\*/\\nexport type ${name} = [^;]*;`);
  if (!declared.test(text)) throw new Error(`${emitted} does not declare ${name}`);
  writeFileSync(
    emitted,
    text.replace(declared, () => written),
  );
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
keepComments('domain/schema/plan-schema', 'PlanInput');
copyPrompts(root, join(root, 'dist', 'activities', 'prompts'));
const { code } = await bundleWorkflows();
writeFileSync(join(root, 'dist', 'workflow-bundle.js'), code);
const { code: encoded } = await bundleWorkflows(undefined, 'encoded');
writeFileSync(join(root, 'dist', 'workflow-bundle-encoded.js'), encoded);
await buildProgram(join(root, 'dist', 'workers', 'program'));
const consoleArguments = [join(root, 'scripts', 'build-console.ts'), join(root, 'dist', 'console')];
execFileSync(process.execPath, consoleArguments, { stdio: 'inherit' });
