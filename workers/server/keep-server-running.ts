import { setTimeout as sleep } from 'node:timers/promises';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import type { DevServer } from './dev-server.ts';

/** How often a dead server is started again, and after which waits. */
export interface RestartPolicy {
  tries: number;
  first: number;
  factor: number;
  most: number;
}

interface Watch {
  first: DevServer;
  restart: () => Promise<DevServer>;
  onStarted: (server: DevServer) => void;
  log: (text: string) => void;
  policy: RestartPolicy;
  stopping: AbortSignal;
}

/** Starts a server again whenever it dies. Ends with undefined when told to stop, with the failure when it cannot be kept alive. */
export async function keepServerRunning(watch: Watch): Promise<HeddleError | undefined> {
  let server = watch.first;
  let failures = 0;
  for (;;) {
    const startedAt = Date.now();
    await Promise.race([server.exited, waitForAbort(watch.stopping)]);
    if (watch.stopping.aborted) return undefined;
    if (Date.now() - startedAt > workerLimits.server.steadyAfter) failures = 0;
    watch.log(`The Temporal server (process ${server.pid}) ended; restarting it`);
    const restarted = await restart(watch, failures);
    if (restarted === undefined) return undefined;
    if (restarted instanceof HeddleError) return restarted;
    ({ server, failures } = restarted);
    watch.onStarted(server);
    watch.log(`The Temporal server is running again (process ${server.pid})`);
  }
}

/** The first restart comes at once, those after it wait longer and longer. A death soon after a start counts on. */
async function restart(
  watch: Watch,
  failuresBefore: number,
): Promise<{ server: DevServer; failures: number } | HeddleError | undefined> {
  for (let failures = failuresBefore; failures < watch.policy.tries; failures++) {
    const wait = sleep(restartWait(watch.policy, failures), undefined, { signal: watch.stopping });
    if (!(await wait.then(() => true).catch(() => false))) return undefined;
    try {
      return { server: await watch.restart(), failures: failures + 1 };
    } catch (error) {
      if (watch.stopping.aborted) return undefined;
      watch.log(`The Temporal server did not restart: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return gaveUp(watch);
}

function restartWait({ first, factor, most }: RestartPolicy, failures: number): number {
  return failures === 0 ? 0 : Math.min(most, first * factor ** (failures - 1));
}

function gaveUp(watch: Watch): HeddleError {
  const failure = new HeddleError({
    code: 'TEMPORAL_SERVER_FAILED',
    message: `The Temporal server died ${watch.policy.tries} times in a row and is not restarted`,
    where: watch.first.address,
    hint: 'Read the log of the server; `heddle doctor` checks the rest.',
  });
  watch.log(failure.message);
  return failure;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
