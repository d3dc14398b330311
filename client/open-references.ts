import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { openTasksQuery, taskIdOf } from '../domain/names.ts';
import { explainError } from './explain-error.ts';

export interface OpenReferences {
  /** Tasks that have not ended. */
  taskIds: string[];
  /** Hashes of everything in the store that they may still read. */
  hashes: Set<string>;
}

/**
 * What open tasks need of the store. A task knows no more than its history, so whatever looks like a reference there is one: nothing
 * is missed because a field is new, or because no worker answers.
 */
export async function openReferences(client: Client): Promise<OpenReferences> {
  const found: OpenReferences = { taskIds: [], hashes: new Set() };
  try {
    for await (const { workflowId } of client.workflow.list({ query: openTasksQuery })) {
      found.taskIds.push(taskIdOf(workflowId));
      collect(await historyOf(client, workflowId), found.hashes);
    }
  } catch (error) {
    throw explainError(error);
  }
  return found;
}

/** A task that is gone since it was listed needs nothing any more. */
async function historyOf(client: Client, workflowId: string): Promise<unknown> {
  try {
    return await client.workflow.getHandle(workflowId).fetchHistory();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

function collect(value: unknown, hashes: Set<string>): void {
  if (value instanceof Uint8Array) {
    for (const [hash] of Buffer.from(value)
      .toString('latin1')
      .matchAll(/\b[0-9a-f]{64}\b/g))
      hashes.add(hash);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, hashes);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, hashes);
  }
}
