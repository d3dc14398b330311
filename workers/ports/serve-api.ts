import type { Endpoint } from '../../client/ports/service.ts';
import { heddleHome, type Environment } from '../home/home.ts';
import { startApi, type ApiPorts, type RunningApi } from '../serve/start-api.ts';
import { touchLastUsed, type ServiceInfo } from '../service/service-info.ts';
import { readSettings } from '../settings/settings.ts';
import { loadServerSettings, type ServerFlags } from '../settings/server-settings.ts';
import { connectLocal } from './connect.ts';

export interface ServeOptions {
  env: Environment;
  ports: ApiPorts;
  flags?: ServerFlags;
  log: (error: unknown) => void;
}

/** How to reach the Temporal server of the tasks. */
export interface EndpointSource {
  connect: () => Promise<Endpoint>;
  /** Another text once the server is another one, and the connection to the one before is of no use. */
  generation?: () => string;
}

/** Serves the API and the console for the tasks of a server, in this process. */
export async function serveApi({ env, ports, flags, log }: ServeOptions, source: EndpointSource): Promise<RunningApi> {
  const home = heddleHome(env);
  const settings = await loadServerSettings(env, flags);
  const connection = new KeptConnection(source);
  const api = await startApi({
    home,
    env,
    settings,
    ports,
    log,
    onUse: () => touchLastUsed(home),
    endpoint: () => connection.get(),
  });
  return {
    ...api,
    close: async () => {
      await api.close();
      await connection.close();
    },
  };
}

/** The same for the service of this process, which may still be starting. */
export const serveOwn =
  (options: ServeOptions) =>
  (service: Promise<ServiceInfo>): Promise<RunningApi> =>
    serveApi(options, { connect: async () => connectLocal(options.env, readSettings(options.env), await service) });

/** Keeps one connection for all requests. After a failure the next request connects again. */
class KeptConnection {
  /** Its generation is undefined while it connects, which may start the server. */
  private kept: { generation: string | undefined; endpoint: Promise<Endpoint> } | undefined;
  private readonly source: EndpointSource;

  constructor(source: EndpointSource) {
    this.source = source;
  }

  get(): Promise<Endpoint> {
    const { kept } = this;
    if (kept !== undefined && [undefined, this.generation()].includes(kept.generation)) return kept.endpoint;
    void closeEndpoint(kept?.endpoint);
    return (this.kept = this.connect()).endpoint;
  }

  async close(): Promise<void> {
    await closeEndpoint(this.kept?.endpoint);
  }

  private connect(): { generation: string | undefined; endpoint: Promise<Endpoint> } {
    const kept = {
      generation: undefined as string | undefined,
      endpoint: this.source.connect().then(
        (endpoint) => {
          kept.generation = this.generation();
          return endpoint;
        },
        (error: unknown) => {
          if (this.kept === kept) this.kept = undefined;
          throw error;
        },
      ),
    };
    return kept;
  }

  private generation(): string {
    return this.source.generation?.() ?? '';
  }
}

async function closeEndpoint(endpoint: Promise<Endpoint> | undefined): Promise<void> {
  const connected = await endpoint?.catch(() => undefined);
  await connected?.client.close();
}
