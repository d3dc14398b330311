import { join } from 'node:path';
import { build } from 'rolldown';

/** What the command line runs, bundled in pieces, so that a command reads a few files instead of hundreds. */
export async function buildProgram(folder: string): Promise<void> {
  await build({
    cwd: join(import.meta.dirname, '..'),
    input: {
      heddle: 'workers/heddle.ts',
      service: 'workers/service.ts',
      'keep-compiled': 'workers/keep-compiled.ts',
      'inspect-thread': 'activities/verify/inspect/inspect-thread.ts',
    },
    platform: 'node',
    // The SDK finds its native parts and protos beside its own files.
    external: [/^@temporalio\//, /^pino$/, /^node:/],
    output: { dir: folder, chunkFileNames: '[name]-[hash].js', comments: false },
    logLevel: 'warn',
  });
}
