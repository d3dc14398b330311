import { randomBytes } from 'node:crypto';
import type { Role } from '../../../../domain/types/basic/role.ts';
import { createCaller, type CallApi } from '../../../mcp/call-api.ts';
import { serveMcp } from '../../../mcp/serve-mcp.ts';
import type { Endpoint } from '../../../ports/service.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';
import { onceAskedToStop } from '../../shared/stop-request.ts';
import { userName } from '../../shared/user-name.ts';
import { readVersion } from '../../shared/version.ts';

/** The code of an answer whose server is gone. */
const asleep = '"TEMPORAL_UNREACHABLE"';

export interface McpFlags {
  role: Role;
}

/** `heddle mcp`: stays until its client closes stdin, or it is asked to stop. Everything but the protocol goes to stderr. */
export async function mcpCommand({ ports, output }: Context, { role }: McpFlags): Promise<number> {
  const log = (error: unknown): void => output.note(error instanceof Error ? error.message : String(error));
  let endpoint: Promise<Endpoint> | undefined;
  const drop = async (): Promise<void> => {
    const dropped = endpoint;
    endpoint = undefined;
    await (await dropped?.catch(() => undefined))?.client.close();
  };
  let console = (await ports.findConsole()) ?? '';
  const connect = async (): Promise<Endpoint> => {
    const connected = await ports.connect({ progress: (text) => output.note(text) });
    // Connecting may have started the service, which serves the console.
    console = (await ports.findConsole()) ?? '';
    return connected;
  };
  const callApi = createCaller(
    {
      endpoint: () =>
        (endpoint ??= connect().catch((error: unknown) => {
          endpoint = undefined;
          throw error;
        })),
      ports,
      ownAddresses: () => ({ hosts: [], origins: [], console }),
      home: {
        version: readVersion(),
        startedAt: new Date().toISOString(),
        freeBytes: () => Promise.resolve(null),
        secret: randomBytes(32),
      },
      rules: { workspaces: [] },
    },
    log,
  );
  const ended = Promise.withResolvers<unknown>();
  // A local service that went to sleep is started by the next call.
  const waking: CallApi = async (identity, request) => {
    const answer = await callApi(identity, request);
    if (answer.ok || !answer.text.includes(asleep)) return answer;
    await drop();
    return request.method === 'GET' ? callApi(identity, request) : answer;
  };
  const server = serveMcp({ user: userName(ports.env), role, version: readVersion(), callApi: waking, log });
  ports.stdin.once('close', () => ended.resolve(undefined));
  ports.stdin.once('end', () => ended.resolve(undefined));
  const release = onceAskedToStop(ports, () => ended.resolve(undefined));
  await ended.promise;
  release();
  await server.close();
  await drop();
  return exits.done;
}
