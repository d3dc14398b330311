import type { Endpoint } from '../ports/service.ts';
import { listWorkers, type SeenWorker } from './list-workers.ts';

/** The Temporal server and its workers. `ok` is false where it does not answer. */
export interface SeenServer {
  temporal: {
    address: string | null;
    namespace: string | null;
    version: string | null;
    webUi: string | null;
    ok: boolean;
  };
  workers: SeenWorker[];
}

/** Looks at the server. Silence of the server is an answer too. */
export async function lookAtServer(endpoint: () => Promise<Endpoint>): Promise<SeenServer> {
  const reached = await endpoint().catch(() => undefined);
  if (reached === undefined)
    return { temporal: { address: null, namespace: null, version: null, webUi: null, ok: false }, workers: [] };
  const { client, address, namespace, webUi } = reached;
  const version = await client.temporal.connection.workflowService
    .getClusterInfo({})
    .then(({ serverVersion }) => serverVersion)
    .catch(() => null);
  const about = { address, namespace, version, webUi };
  const workers = await listWorkers(client).catch(() => undefined);
  return { temporal: { ...about, ok: workers !== undefined }, workers: workers ?? [] };
}

/** Says whether the server could take work: it answers, and a worker polls. */
export async function checkReady(
  endpoint: () => Promise<Endpoint>,
): Promise<{ ok: boolean; temporal: boolean; worker: boolean }> {
  try {
    const worker = await (await endpoint()).client.hasWorker();
    return { ok: worker, temporal: true, worker };
  } catch {
    return { ok: false, temporal: false, worker: false };
  }
}
