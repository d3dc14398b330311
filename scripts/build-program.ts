import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { sourceHash } from '../workers/worker/source-hash.ts';

/** The program of the command line, bundled in pieces, so that a command reads a few files instead of hundreds. */
export async function buildProgram(folder: string): Promise<void> {
  const root = join(import.meta.dirname, '..');
  await build({
    cwd: root,
    input: {
      heddle: 'workers/heddle.ts',
      service: 'workers/service.ts',
      'keep-compiled': 'workers/keep-compiled.ts',
      'git-starter': 'activities/workspace/git/git-starter.ts',
      'failure-converter': 'workers/worker/failure-converter.ts',
      'inspect-thread': 'activities/verify/inspect/inspect-thread.ts',
      'extract-thread': 'activities/documents/extract-thread.ts',
    },
    platform: 'node',
    // The SDK finds its native parts and protos beside its own files.
    external: [/^@temporalio\//, /^pino$/, /^node:/],
    output: { dir: folder, chunkFileNames: '[name]-[hash].js', comments: false },
    logLevel: 'warn',
  });
  copyPrompts(root, folder);
  // By it a command knows whether a service runs the same code.
  writeFileSync(join(folder, 'code-hash'), sourceHash());
}

/** Prompts are read from files beside the code. */
export function copyPrompts(root: string, folder: string): void {
  cpSync(join(root, 'activities', 'prompts', 'templates'), join(folder, 'templates'), { recursive: true });
}
