import { Client, Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Cli } from '../../support/cli.ts';

/** A bare Temporal client on the server of a home, as an administrator has one. The service has to run. */
export async function temporalOf(cli: Cli): Promise<{ client: Client; taskQueue: string }> {
  const info = JSON.parse(readFileSync(join(cli.home, 'run', 'service.json'), 'utf8')) as {
    temporalAddress: string;
    namespace: string;
    taskQueue: string;
  };
  const connection = await Connection.connect({ address: info.temporalAddress });
  onTestFinished(() => connection.close());
  return { client: new Client({ connection, namespace: info.namespace }), taskQueue: info.taskQueue };
}

/** The code of the error that a command with `--json` wrote. */
export const codeIn = (stderr: string): string => {
  const lines = stderr.trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '') as { error: { code: string } }).error.code;
};
