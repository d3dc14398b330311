import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { workerLimits } from '../limits.ts';
import { loopback } from './free-port.ts';

/** The namespace that every dev server has. */
export const defaultNamespace = 'default';

/** Resolves once the server answers for its namespace (and the Web UI listens); rejects when `signal` fires. */
export async function waitUntilReady(ports: { port: number; uiPort?: number }, signal: AbortSignal): Promise<void> {
  for (const port of ports.uiPort === undefined ? [ports.port] : [ports.port, ports.uiPort]) {
    while (!(await listens(port))) await sleep(workerLimits.server.readyPoll, undefined, { signal });
  }
  while (!(await answers(`${loopback}:${ports.port}`)))
    await sleep(workerLimits.server.readyPoll, undefined, { signal });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: loopback, port });
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
