// `npm run build`: JavaScript and the workflow bundle for the installed package, since Node strips no types under node_modules. What the
// command line runs is bundled in pieces, so that a command reads a few files instead of hundreds.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundleWorkflows } from '../workers/worker/workflow-bundle.ts';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
const { code } = await bundleWorkflows();
writeFileSync(join(root, 'dist', 'workflow-bundle.js'), code);
await build({
  cwd: root,
  input: {
    heddle: 'workers/heddle.ts',
    service: 'workers/service.ts',
    'keep-compiled': 'workers/keep-compiled.ts',
    'inspect-thread': 'activities/verify/inspect/inspect-thread.ts',
  },
  platform: 'node',
  // The SDK finds its native parts and protos beside its own files.
  external: [/^@temporalio\//, /^pino$/, /^node:/],
  output: { dir: join(root, 'dist', 'workers', 'program'), chunkFileNames: '[name]-[hash].js', comments: false },
  logLevel: 'warn',
});
