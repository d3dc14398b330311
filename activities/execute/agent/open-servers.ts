import { buildMachineFailure } from '../../../domain/failure/classify.ts';
import type { ToolSchema } from '../../../domain/conversation/message.ts';
import type { ForeignSchema } from '../../../domain/servers/name-tools.ts';
import type { GateFacts } from '../../../domain/types/basic/gate.ts';
import type { AgentAttempt } from '../../attempt/attempt.ts';
import type { RunningRecord } from '../../attempt/running-record.ts';
import { ownFolders } from '../../home/xdg.ts';
import { loadForeignTools } from '../../mcp/check-servers.ts';
import { createForeignTools, mayWrite } from '../../mcp/foreign-tool.ts';
import { ServerProblem } from '../../mcp/open-server.ts';
import { ServerConnections } from '../../mcp/server-connections.ts';
import type { ServerPlace } from '../../mcp/server-place.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { Secrets } from '../../redact/secrets.ts';
import type { CommandPort } from '../../sandbox/command.ts';
import type { Tool } from '../../tools/common/tool.ts';
import { AgentPreparationError } from './prepare-agent.ts';

/** The watch over what programs leave in repositories of the workspace. */
export type WatchPort = (port: CommandPort) => Promise<CommandPort>;

interface PlaceParts {
  attempt: AgentAttempt;
  record: Pick<RunningRecord, 'mark' | 'run'>;
  root: string;
  secrets: Secrets;
  redactor: Redactor;
  watch?: WatchPort;
}

/** The place where the servers of an attempt run: what a crash leaves of them is found by the mark of the attempt, as a command is. */
export function openServerPlace({ attempt, record, root, secrets, redactor, watch }: PlaceParts): ServerPlace {
  const { environment } = secrets;
  return {
    workspace: attempt.workspace,
    listedIn: attempt.input.workspace,
    sandbox: attempt.sandbox,
    hidden: ownFolders(root, environment),
    mark: `${record.mark}${record.run}`,
    ...{ root, secrets, redactor, environment },
    ...(watch === undefined ? {} : { watch }),
  };
}

/** The tools of servers for the frame of a conversation. A server that is away, and was never listed, is trouble that may pass. */
export async function listForeignTools(
  { servers = [], executor }: AgentAttempt,
  parts: { place: ServerPlace; signal: AbortSignal },
): Promise<ForeignSchema[]> {
  try {
    return servers.length === 0 ? [] : await loadForeignTools(servers, executor.foreign, parts);
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error;
    throw new AgentPreparationError(buildMachineFailure(error.message));
  }
}

interface ServerParts {
  place: ServerPlace;
  /** Tools of the frame. */
  tools: readonly ToolSchema[];
  gates: GateFacts;
  onProgress: (text: string) => void;
}

/** The servers of one execution, as tools; all of them end with it. */
export function openServers(
  { servers = [], input }: AgentAttempt,
  { place, tools, gates, onProgress }: ServerParts,
): { tools: Tool[]; close: () => Promise<void> } {
  const connections = new ServerConnections(servers, place);
  const foreign = createForeignTools(tools, {
    ...{ connections, gates, onProgress },
    keyOf: (call) => `${input.idempotencyKey}/call/${call}`,
    writes: (name) => mayWrite(servers, name),
  });
  connections.warm();
  return { tools: foreign, close: () => connections.close() };
}
