import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Endpoint } from '../ports/service.ts';

/** Refuses to start a task that somebody waits for while no worker would run it. */
export async function checkWorker({ client, address, local }: Endpoint): Promise<void> {
  if (local || (await client.hasWorker())) return;
  throw new HeddleError({
    code: 'NO_WORKER',
    message: 'No worker is responding, so the task was not started',
    where: `task queue ${client.taskQueue} at ${address}`,
    hint: 'Start one with `heddle worker`, or use --detach to start the task anyway: it waits for a worker.',
  });
}
