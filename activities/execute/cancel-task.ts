import { Context } from '@temporalio/activity';

/** The activity `cancelTask`: a task that a person stopped asks for its own cancellation, which no workflow can do by itself. */
export async function cancelTask(): Promise<void> {
  const { client, info } = Context.current();
  const workflowId = info.workflowExecution?.workflowId;
  if (workflowId === undefined) throw new Error('cancelTask runs inside a workflow only');
  await client.workflow.getHandle(workflowId).cancel();
}
