// A tool that changes the world once: it asks each time, and after a crash it knows whether it took effect.
//
//   [tools]
//   files = ["tools/deploy.ts"]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const input = z.object({ to: z.enum(['staging', 'production']) });

interface Helpers {
  /** The idempotency key of the call: the same when it runs again. */
  key: string;
  progress: (message: string) => void;
}

/** A real one asks its own service for the release of this key. */
const recordOf = (key: string): string => `deployments/${key.replaceAll(/[^\w.-]/g, '_')}.txt`;

export const deploy = {
  description: 'Deploys the site.',
  input,
  destructive: true,
  run: ({ to }: z.infer<typeof input>, { key, progress }: Helpers): string => {
    progress(`deploying to ${to}`);
    mkdirSync('deployments', { recursive: true });
    writeFileSync(recordOf(key), to);
    return `Deployed to ${to}.`;
  },
  settle: (_: z.infer<typeof input>, { key }: Pick<Helpers, 'key'>): 'done' | 'not-done' =>
    existsSync(recordOf(key)) ? 'done' : 'not-done',
};
