import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';

/** Asks whether a task of this worker's server has not ended. Temporal alone knows; a task that it has forgotten has ended long ago. */
export async function isTaskOpen(workflowId: string): Promise<boolean> {
  const { client } = Context.current();
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
