import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { emptyMemory, selectForTask } from '../../domain/memory/memory.ts';
import { buildProjectWorkflowId, workflowTypes } from '../../domain/names/names.ts';
import { readMemoryAnswer } from '../../domain/memory/read-memory.ts';
import type { Teaching, ProjectMemory } from '../../domain/types/basic/memory.ts';
import { activityLimits } from '../limits/activity-limits.ts';

/** The activity `rememberTask`: tells the project what a task learned, and starts its memory with the first lesson. */
export async function rememberTask(input: { project: string; lesson: Teaching }): Promise<void> {
  const { client, info } = Context.current();
  await client.workflow.signalWithStart(workflowTypes.project, {
    workflowId: buildProjectWorkflowId(input.project),
    taskQueue: info.taskQueue,
    args: [{ project: input.project }],
    signal: 'learn',
    signalArgs: [input.lesson],
    staticSummary: `Memory of ${input.project}`,
  });
}

/**
 * The memory of a project, as far as a task can use it; nothing when there is no memory yet, when no worker answers for it in time, or when
 * the answer cannot be read. A task without a memory works; a task that does not start does not.
 */
export async function readMemory(project: string): Promise<ProjectMemory> {
  const { client, log } = Context.current();
  try {
    const answer = await client.withDeadline(Date.now() + activityLimits.memoryRead, () =>
      client.workflow.getHandle(buildProjectWorkflowId(project)).query<unknown>('memory'),
    );
    return { project, ...selectForTask(readMemoryAnswer(project, answer)) };
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError))
      log.warn('the task starts without the memory of its project, which cannot be read', { project, error });
    return emptyMemory(project);
  }
}
