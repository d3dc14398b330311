import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { openPayloads } from '../codec/decode-payload.ts';
import { keyIdOf, keyMissing } from '../codec/payload-codec.ts';
import { openTasksQuery, parseTaskId } from '../../domain/names/names.ts';
import { explainError } from '../temporal/explain-error.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { listExecutions } from './task-page.ts';

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
 *
 * @throws {@link HeddleError} `CODEC_KEY_MISSING` where one payload stays closed: it may name anything, so nothing is known.
 */
export async function openReferences(client: Client): Promise<OpenReferences> {
  try {
    const lookedAt = Date.now();
    const serverId = await readServerId(client.connection, client.options.namespace);
    const references: OpenReferences = { serverId, lookedAt, taskIds: [], hashes: new Set() };
    for await (const { execution } of listExecutions(client, { query: openTasksQuery })) {
      const workflowId = execution?.workflowId ?? '';
      references.taskIds.push(parseTaskId(workflowId));
      await collectAll(client, await fetchHistory(client, workflowId), references.hashes);
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

/** Encrypted payloads hold hashes too, and payloads in them may be encrypted again. */
async function collectAll(client: Client, value: unknown, hashes: Set<string>): Promise<void> {
  const closed: Payload[] = [];
  collect(value, { hashes, closed });
  const opened = await openPayloads(client.options, closed);
  for (const payload of opened) {
    const id = keyIdOf(payload);
    if (id !== undefined) throw keyMissing(id);
    collect(payload.data, { hashes, closed: [] });
  }
}

interface Collected {
  hashes: Set<string>;
  /** Payloads that are encrypted. */
  closed: Payload[];
}

function collect(value: unknown, collected: Collected): void {
  if (typeof value === 'string') collectText(value, collected.hashes);
  else if (value instanceof Uint8Array) collectText(Buffer.from(value).toString('latin1'), collected.hashes);
  else if (Array.isArray(value)) {
    for (const item of value) collect(item, collected);
  } else if (typeof value === 'object' && value !== null) {
    if (isPayload(value) && keyIdOf(value) !== undefined) collected.closed.push(value);
    else for (const item of Object.values(value)) collect(item, collected);
  }
}

const isPayload = (value: object): value is Payload =>
  'metadata' in value && 'data' in value && typeof value.metadata === 'object';

function collectText(text: string, hashes: Set<string>): void {
  for (const [hash] of text.matchAll(/\b[0-9a-f]{64}\b/g)) hashes.add(hash);
}
