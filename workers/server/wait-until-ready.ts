import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { workerLimits } from '../limits/worker-limits.ts';
import { loopback } from './loopback-address.ts';

/** The namespace that every dev server has. */
export const defaultNamespace = 'default';

/** Resolves once the server answers for its namespace (and the Web UI listens); rejects when `signal` fires. */
export async function waitUntilReady(
  port: number,
  ui: { host: string; port: number } | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const place of [{ host: loopback, port }, ...(ui === undefined ? [] : [ui])]) {
    while (!(await listens(place))) await sleep(workerLimits.server.readyPoll, undefined, { signal });
  }
  while (!(await answers(`${loopback}:${port}`))) await sleep(workerLimits.server.readyPoll, undefined, { signal });
}

function listens(place: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: workerLimits.server.readyAnswer });
    try {
      const deadline = Date.now() + workerLimits.server.readyAnswer;
      await connection.withDeadline(deadline, () =>
        connection.workflowService.describeNamespace({ namespace: defaultNamespace }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
