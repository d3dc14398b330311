import type { AttemptView, EventOfTask, Report, StatusView, TaskHandle } from '../../../client/index.ts';
import { type Rig, shellPlan } from '../../support/rig.ts';
import { promptIn, runsIn, witness } from '../../support/witness.ts';

export const once = (first: string): string => `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { ${first}; }; echo done`;
/** How often the subtask has run, this time included. */
export const nth = '$(grep -c "^$HEDDLE_SUBTASK_ID " runs.log)';
export const quickRetry = (maximumAttempts: number) => ({
  initialInterval: '50ms',
  backoff: 1,
  maximumInterval: '50ms',
  maximumAttempts,
});

interface Begun {
  task: TaskHandle;
  workspace: string;
}

/** Facts of a task whose subtasks all fail in their own ways. */
export interface Course extends Begun {
  events: EventOfTask[];
  status: StatusView;
  report: Report;
  attemptsOf(subtask: string): AttemptView[];
  runsOf(subtask: string): ReturnType<typeof runsIn>;
  promptOf(subtask: string, attempt?: number): string;
}

/** A task whose subtasks run beside each other, and may all ask. */
export async function start(
  rig: Rig,
  subtasks: Parameters<typeof shellPlan>[0],
  rest: Parameters<typeof shellPlan>[1] = {},
): Promise<Begun> {
  const { workspace = rig.workspace(), ...others } = rest;
  const given = { workspace, maxParallelSubtasks: 8, escalationPause: 20, ...others };
  return { task: await rig.start(shellPlan(subtasks, given)), workspace };
}

export async function read({ task, workspace }: Begun): Promise<Course> {
  const records = await task.attempts();
  return {
    task,
    workspace,
    events: await task.events(),
    status: await task.status(),
    report: await task.report(),
    attemptsOf: (id) => records.filter(({ subtask }) => subtask === id),
    runsOf: (id) => runsIn(workspace).filter(({ subtask }) => subtask === id),
    promptOf: (id, attempt = 1) => promptIn(workspace, id, attempt),
  };
}
