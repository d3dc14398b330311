import { condition, defineUpdate, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { DependencyResult, Execution } from '../domain/model/attempt.ts';
import type { CompletionContract } from '../domain/model/completion-contract.ts';
import { reduceLadder } from '../domain/recovery/ladder.ts';
import type { Task } from '../domain/model/task.ts';
import type { Subtask } from '../domain/model/subtask.ts';
import type { HostActivities } from '../workflows/activities.ts';
import { executeOptions, foreignOptions, verifyOptions, type Call } from '../workflows/activity-options.ts';
import { type BareDecisionsInput, type BareInput, bareUpdate, isCommand } from './bare-messages.ts';

/**
 * What a Temporal user would write by hand: the same activities with the same options and inputs of the same size, chained by
 * promises. No state, no messages, no events, no recovery.
 */
export async function bare({ template, subtasks, parallel, prompt }: BareInput): Promise<number> {
  const definition = only(template);
  const todo = subtasks.values();
  let last: DependencyResult[] = [];
  const lane = async (): Promise<void> => {
    for (const { id, description } of todo) {
      const call = callOf(template, definition, id, 1);
      const result = await runSubtask(template, definition, call, `${description}\n\n${prompt}`, last);
      if (parallel === 1) last = [result];
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return subtasks.length;
}

/** Waits for an update, then runs one attempt; again and again. */
export async function bareDecisions({ template, executor, count, prompt }: BareDecisionsInput): Promise<void> {
  const definition = only(template);
  let answers = 0;
  setHandler(defineUpdate<number>(bareUpdate), () => (answers += 1));
  for (let attempt = 1; attempt <= count; attempt += 1) {
    await condition(() => answers >= attempt);
    const call = callOf(template, definition, 's1', attempt);
    await execute(template, { ...definition, executor }, call, prompt, []);
  }
}

async function runSubtask(
  task: Task,
  definition: Subtask,
  call: Call,
  prompt: string,
  inputs: DependencyResult[],
): Promise<DependencyResult> {
  const execution = await execute(task, definition, call, prompt, inputs);
  const { deliverables, verify: commands, requiredSections, rules, diff, contractCheck, allowPartial } = definition;
  const { verifySubtask } = proxyActivities<HostActivities>(verifyOptions(task, call, commands.length));
  await verifySubtask({
    taskId: workflowInfo().workflowId,
    subtaskId: call.subtask,
    workspace: task.workspace,
    attempt: call.attempt,
    checks: { deliverables, verify: commands, requiredSections, rules, diff, contractCheck, allowPartial },
    ...(execution.stdout === undefined ? {} : { stdout: execution.stdout }),
    stdoutBytes: execution.stdoutBytes ?? 0,
    ...(execution.contract === undefined ? {} : { contract: execution.contract }),
    before: execution.before ?? [],
  });
  return {
    id: call.subtask,
    status: 'success',
    notes: execution.contract?.notes ?? '',
    deliverables,
    preview: (execution.stdoutTail ?? execution.contract?.notes ?? '').trimEnd(),
    ...(execution.output === undefined ? {} : { output: execution.output }),
  };
}

async function execute(
  task: Task,
  definition: Subtask,
  call: Call,
  prompt: string,
  inputs: DependencyResult[],
): Promise<Partial<Execution>> {
  const { workflowId } = workflowInfo();
  const { executor } = definition;
  const common = {
    taskId: workflowId,
    subtaskId: call.subtask,
    attempt: call.attempt,
    tier: call.step.tier,
    thinking: call.step.thinking,
    idempotencyKey: `${workflowId}/${call.subtask}/${call.attempt}`,
    prompt,
    inputs,
    workspace: task.workspace,
  };
  if (isCommand(executor)) {
    const { executeSubtask } = proxyActivities<HostActivities>(executeOptions(task, call));
    return executeSubtask({ ...common, executor, deliverables: definition.deliverables, timeout: call.timeout });
  }
  const activities = proxyActivities<Record<string, (input: object) => Promise<CompletionContract>>>(
    foreignOptions(executor.taskQueue, call),
  );
  const activity = activities[executor.name];
  if (activity === undefined) throw new Error(`no activity ${executor.name}`);
  return { contract: await activity(common) };
}

function only(template: Task): Subtask {
  const [definition] = template.subtasks;
  if (definition === undefined) throw new Error('the template has no subtask');
  return definition;
}

function callOf(task: Task, definition: Subtask, subtask: string, attempt: number): Call {
  const [step] = reduceLadder(task.ladder, definition.tier).steps;
  if (step === undefined) throw new Error('the template has no rung');
  return { subtask, attempt, step, timeout: definition.executor.timeout };
}
