import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import { CallProblem, ServerProblem, type OpenServer, type ServerCall } from './open-server.ts';
import { startServer, type ServerPlace } from './server-place.ts';
import { markStale } from './tool-lists.ts';

/**
 * The servers of one execution of one attempt. The first call opens a server, and all are closed with the execution, so nothing is shared
 * with another task. A server that was lost, or did not answer in time, is ended: the next call opens another.
 */
export class ServerConnections {
  readonly #servers: ReadonlyMap<string, ToolServer>;
  readonly #place: ServerPlace;
  readonly #stop = new AbortController();
  readonly #open = new Map<string, Promise<OpenServer>>();

  constructor(servers: readonly ToolServer[], place: ServerPlace) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#place = place;
  }

  timeoutOf(name: string): number {
    const server = this.#servers.get(name);
    return server === undefined ? 0 : server.start + server.timeout;
  }

  /** The result as the server sent it. Throws a `CallProblem`. */
  async call(name: string, call: Omit<ServerCall, 'timeout'>): Promise<Record<string, unknown>> {
    const server = this.#servers.get(name);
    if (server === undefined) throw new CallProblem('unsent', 'is not a server of this task any more');
    const opened = await this.#connect(server, call.signal);
    try {
      return await opened.call({ ...call, timeout: server.timeout });
    } catch (error) {
      // Its late answer to this call must not mix with the next one.
      if (!(error instanceof CallProblem) || error.kind !== 'answered') await this.#drop(name, opened);
      throw error;
    }
  }

  /** Opens the servers that the config wants open from the beginning. Trouble is told by the first call. */
  warm(): void {
    for (const server of this.#servers.values())
      if (server.warm) void this.#connect(server, this.#stop.signal).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(
      all.map((opening) =>
        opening.then(
          (opened) => opened.close(),
          () => undefined,
        ),
      ),
    );
  }

  async #connect(server: ToolServer, signal: AbortSignal): Promise<OpenServer> {
    const { name } = server;
    const opening = this.#open.get(name) ?? this.#begin(server);
    const opened = await opening.catch((error: unknown) => {
      this.#forget(name, opening);
      if (error instanceof ServerProblem) throw new CallProblem('unsent', `could not be started: ${error.message}`);
      throw error;
    });
    // The call was stopped, not its server: that one stays open for the next call, and ends with the execution.
    signal.throwIfAborted();
    if (!opened.isClosed) return opened;
    this.#forget(name, opening);
    return this.#connect(server, signal);
  }

  #forget(name: string, opening: Promise<OpenServer>): void {
    if (this.#open.get(name) === opening) this.#open.delete(name);
  }

  #begin(server: ToolServer): Promise<OpenServer> {
    const opening = startServer(server, this.#place, {
      signal: this.#stop.signal,
      onListChanged: () => void markStale(server, this.#place).catch(() => undefined),
    });
    this.#open.set(server.name, opening);
    opening.catch(() => undefined);
    return opening;
  }

  async #drop(name: string, opened: OpenServer): Promise<void> {
    const current = this.#open.get(name);
    if (current !== undefined && (await current.catch(() => undefined)) === opened) this.#open.delete(name);
    await opened.close();
  }
}
