import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { openTasksQuery, parseTaskId } from '../../domain/names/names.ts';
import { explainError } from '../temporal/explain-error.ts';
import { clientLimits } from '../limits/client-limits.ts';

export interface OpenReferences {
  /** The id of the namespace, given by the server: the same whatever its address is. */
  serverId: string;
  /** Milliseconds: what happened later is not known here. */
  lookedAt: number;
  /** Tasks that have not ended. */
  taskIds: string[];
  /** Hashes of everything in the store that they may still read. */
  hashes: Set<string>;
}

/**
 * Collects what open tasks need of the store. A task knows no more than its history, so whatever looks like a reference there is one: nothing
 * is missed because a field is new, or because no worker is responding. What stored pages refer to in turn is followed where the store is.
 */
export async function openReferences(client: Client): Promise<OpenReferences> {
  try {
    const lookedAt = Date.now();
    const serverId = await readServerId(client.connection, client.options.namespace);
    const references: OpenReferences = { serverId, lookedAt, taskIds: [], hashes: new Set() };
    for await (const { workflowId } of client.workflow.list({ query: openTasksQuery })) {
      references.taskIds.push(parseTaskId(workflowId));
      collect(await fetchHistory(client, workflowId), references.hashes);
    }
    return references;
  } catch (error) {
    throw explainError(error);
  }
}

/** The identity of the server and the namespace: addresses change with each start of a local server. */
export async function readServerId(
  connection: Pick<Client['connection'], 'workflowService' | 'withDeadline'>,
  namespace: string,
): Promise<string> {
  const { namespaceInfo } = await connection.withDeadline(Date.now() + clientLimits.serverCall, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  const id = namespaceInfo?.id ?? '';
  if (id === '') throw new Error(`the server does not say which namespace ${namespace} is`);
  return id;
}

/** A task that is gone since it was listed needs nothing any more. */
async function fetchHistory(client: Client, workflowId: string): Promise<unknown> {
  try {
    return await client.workflow.getHandle(workflowId).fetchHistory();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

function collect(value: unknown, hashes: Set<string>): void {
  if (typeof value === 'string') collectText(value, hashes);
  else if (value instanceof Uint8Array) collectText(Buffer.from(value).toString('latin1'), hashes);
  else if (Array.isArray(value)) {
    for (const item of value) collect(item, hashes);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, hashes);
  }
}

function collectText(text: string, hashes: Set<string>): void {
  for (const [hash] of text.matchAll(/\b[0-9a-f]{64}\b/g)) hashes.add(hash);
}
