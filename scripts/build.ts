// `npm run build`: JavaScript and the workflow bundle for the installed package, since Node strips no types under node_modules.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleWorkflows } from '../workers/worker/workflow-bundle.ts';
import { buildProgram, copyPrompts } from './build-program.ts';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
copyPrompts(root, join(root, 'dist', 'activities', 'prompts'));
const { code } = await bundleWorkflows();
writeFileSync(join(root, 'dist', 'workflow-bundle.js'), code);
await buildProgram(join(root, 'dist', 'workers', 'program'));
