import { WorkflowNotFoundError } from '@temporalio/client';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { FolderTask } from '../../domain/types/basic/workspace.ts';
import { explainError } from '../temporal/explain-error.ts';
import { readServerId } from '../sdk/open-references.ts';
import type { WithClient } from './task-state.ts';

/** Asks the server whether a task that has a lease of a folder is open. Another server's task, or no server: nobody knows. */
export async function isTaskOpen(
  withClient: WithClient,
  { workflowId, serverId }: FolderTask,
): Promise<boolean | 'unknown'> {
  try {
    return await withClient(async ({ temporal }) => {
      if ((await readServerId(temporal.connection, temporal.options.namespace)) !== serverId) return 'unknown';
      const { status } = await temporal.workflow.getHandle(workflowId).describe();
      return status.name === 'RUNNING';
    });
  } catch (error) {
    // A task that the server has forgotten has ended long ago.
    if (error instanceof WorkflowNotFoundError) return false;
    const explained = explainError(error);
    if (explained instanceof HeddleError) return 'unknown';
    throw error;
  }
}
