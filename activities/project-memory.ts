import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { activityLimits } from './limits.ts';
import { emptyMemory } from '../domain/memory/memory.ts';
import { projectWorkflowIdOf, workflowTypes } from '../domain/names.ts';
import type { Lesson, ProjectMemory } from '../domain/model/memory.ts';

/** A task starts without its memory rather than late. */
const readDeadline = 5_000;

/** The activity `rememberTask`: tells the project what a task learned, and starts its memory with the first lesson. */
export async function rememberTask(input: { project: string; lesson: Lesson }): Promise<void> {
  const { client, info } = Context.current();
  await client.workflow.signalWithStart(workflowTypes.project, {
    workflowId: projectWorkflowIdOf(input.project),
    taskQueue: info.taskQueue,
    args: [{ project: input.project }],
    signal: 'learn',
    signalArgs: [input.lesson],
    staticSummary: `Memory of ${input.project}`,
  });
}

/** What a project knows; nothing when there is no memory yet or nobody answers for it. */
export async function readMemory(project: string): Promise<ProjectMemory> {
  const { client, log } = Context.current();
  try {
    const memory = await client.withDeadline(Date.now() + readDeadline, () =>
      client.workflow.getHandle(projectWorkflowIdOf(project)).query<ProjectMemory>('memory'),
    );
    return {
      ...memory,
      signatures: memory.signatures
        .filter(({ fixedAtRung }) => fixedAtRung !== null)
        .slice(-activityLimits.toldSignatures),
      answers: memory.answers.slice(-activityLimits.toldSignatures),
    };
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError))
      log.warn('the memory of the project cannot be read', { project, error });
    return emptyMemory(project);
  }
}
