import { rootOfStore } from '../../activities/home/home-layout.ts';
import {
  forgetVariables,
  handOver,
  mayKeepVariables,
  refreshVariables,
} from '../../activities/redact/task-variables.ts';
import type { Endpoint } from '../../client/ports/service.ts';
import type { VariablesPort } from '../../client/ports/variables.ts';
import { readServerId } from '../../client/sdk/open-references.ts';
import { homeOfAnyVersion } from '../home/home.ts';
import { readServed } from '../home/served-servers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Values stay in this home: they are kept only where a worker of it may run the task. */
export function variablesPort(env: Environment): VariablesPort {
  const root = (): string => rootOfStore(homeOfAnyVersion(env).store);
  return {
    async handOverVariables(endpoint, task, names) {
      const server = names.length === 0 ? undefined : await findSharedServer(root(), endpoint);
      return server === undefined ? () => undefined : handOver(root(), { server, task }, names, env);
    },
    async refreshVariables(endpoint, task) {
      if (!mayKeepVariables(root())) return;
      const server = await findSharedServer(root(), endpoint);
      // A worker of this home has left the names of the variables, or the command that started the task has.
      if (server !== undefined) refreshVariables(root(), { server, task }, env);
    },
    async forgetVariables(endpoint, task) {
      if (!mayKeepVariables(root())) return;
      const server = await findSharedServer(root(), endpoint);
      if (server !== undefined) forgetVariables(root(), { server, task });
    },
  };
}

/** The id of the server, where workers of this home work for it: those of the local service, and others by the note that each leaves. */
async function findSharedServer(root: string, { client, namespace, local }: Endpoint): Promise<string | undefined> {
  const served = local ? [] : await readServed(root);
  if (!local && served.length === 0) return undefined;
  const id = await readServerId(client.temporal.connection, namespace);
  return local || served.some((server) => server.id === id) ? id : undefined;
}
