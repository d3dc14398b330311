import { executeChild, workflowInfo } from '@temporalio/workflow';

// All that the worker serves: Heddle's workflows beside our own. In your project: export * from '@heddle/heddle/workflows';
export * from '../../workflows/index.ts';

/** A workflow of ours that has a part of its work done as a Heddle task: checked, recovered, with a person where one is needed. */
export async function publishNotes(input: { workspace: string }): Promise<string> {
  const { workflowId, taskQueue } = workflowInfo();
  const plan = {
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
  await executeChild('task', { workflowId: `task-${workflowId}`, args: [plan] });
  return `published, see heddle report ${workflowId}`;
}
