import { executeChild, workflowInfo } from '@temporalio/workflow';
// In your project, this and the next one: from '@heddle/heddle/workflows'.
import type { task, TaskInput } from '../../workflows/index.ts';

// All that the worker serves: Heddle's workflows beside our own.
export * from '../../workflows/index.ts';

/** What the callers of our workflow are given. */
export interface Published {
  /** The task, for `heddle report`. */
  task: string;
  files: string[];
  words: string;
}

/**
 * A workflow of ours that has a part of its work done as a Heddle task: checked, recovered, with a person where one is needed. It goes on
 * with what the task made.
 */
export async function publishNotes(input: { workspace: string }): Promise<Published> {
  const { workflowId, taskQueue } = workflowInfo();
  const plan: TaskInput = {
    goal: 'Publish the notes',
    workspace: input.workspace,
    subtasks: [
      {
        id: 'draft',
        description: 'Write notes.md',
        executor: { kind: 'command', run: ['sh', '-c', 'echo "Three short words" > notes.md'] },
        deliverables: ['notes.md'],
      },
      {
        id: 'count',
        description: 'Count the words of notes.md',
        dependsOn: ['draft'],
        executor: { kind: 'activity', name: 'countWords', taskQueue },
      },
    ],
  };
  const child = { workflowId: `task-${workflowId}`, args: [plan] satisfies Parameters<typeof task> };
  // A task that fails throws: the type of its failure is the code, and its details hold the subtasks.
  const { subtasks } = await executeChild<typeof task>('task', child);
  return {
    task: workflowId,
    files: subtasks.flatMap(({ deliverables }) => deliverables),
    words: subtasks.find(({ id }) => id === 'count')?.notes ?? '',
  };
}
