// At the edge of each limit of size, through the real server: what fits runs, what does not is refused with a code, nothing is stuck.
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PlanInput } from '../../client/index.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { planLimits } from '../../domain/input/limits.ts';
import { packState } from '../../domain/carried/carried-state.ts';
import { newState } from '../../domain/task/state.ts';
import type { Plan } from '../../domain/types/plan.ts';
import { settings } from '../domain/support-task.ts';
import { Cli } from '../support/cli.ts';
import { endOf, linesOf, shellPlan, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';

const rig = useRig();

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A plan of exactly so many bytes as JSON: long descriptions of few subtasks. */
function planOf(bytes: number, workspace: string, count = 10): PlanInput {
  const each = Math.floor((bytes - 10_000) / count);
  const subtasks = Array.from({ length: count }, (_, index) => ({ id: `s${index}`, description: 'x'.repeat(each) }));
  const run = ['sh', '-c', 'wc -c >> sizes.txt; echo done'];
  const plan: PlanInput = { goal: 'much to say', workspace, executor: { kind: 'command', run }, subtasks };
  const missing = bytes - bytesOf(plan);
  const [first] = subtasks;
  if (first !== undefined) first.description += 'x'.repeat(missing);
  expect(bytesOf(plan)).toBe(bytes);
  return plan;
}

/** With nothing but the Temporal client. */
async function startBare(...args: unknown[]): Promise<string> {
  const workflowId = `task-bare-${randomUUID()}`;
  await rig.temporal.workflow.start('task', { workflowId, taskQueue: rig.taskQueue, args });
  rig.adopt(workflowId);
  return workflowId;
}

async function failureOf(workflowId: string): Promise<ApplicationFailure> {
  const error: unknown = await rig.temporal.workflow
    .getHandle(workflowId)
    .result()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const { cause } = error as WorkflowFailedError;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  return cause as ApplicationFailure;
}

describe('a large plan', () => {
  test('of the largest size that can be sent is prepared and runs, and every prompt is whole', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(planOf(planLimits.sentPlanBytes, workspace));
    expect(await endOf(task)).toBe('completed');
    const sizes = linesOf(join(workspace, 'sizes.txt')).map(Number);
    expect(sizes).toHaveLength(10);
    expect(Math.min(...sizes)).toBeGreaterThan(148_000);
    const plan = await task.plan();
    expect(bytesOf(plan)).toBeLessThan(limits.answerBytes);
    expect(plan?.subtasks).toHaveLength(10);
  });

  test('one byte above it is refused by the typed client, and by the command line with exit 2', async () => {
    const plan = planOf(planLimits.sentPlanBytes + 1, rig.workspace());
    await expect(rig.client.start(plan)).rejects.toMatchObject({ code: 'PLAN_TOO_LARGE' });
    const cli = new Cli();
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    const { code, stderr } = await cli.here('run', 'plan.json');
    expect(stderr).toContain('PLAN_TOO_LARGE');
    expect(code).toBe(2);
    expect(cli.processes()).toEqual([]);
  });

  // The input of `prepareTask` holds the plan and a little more: near the server's 2 MiB it would not be taken, again and again.
  test.each([planLimits.sentPlanBytes + 1, 2 * 1024 * 1024 - 100])(
    'of %i bytes fails the task of a bare client with the code',
    async (bytes) => {
      const workflowId = await startBare(planOf(bytes, rig.workspace()));
      const failure = await failureOf(workflowId);
      expect(failure).toMatchObject({ type: 'PLAN_TOO_LARGE', nonRetryable: true });
      const task = rig.client.task(workflowId.replace('task-', ''));
      expect(await task.status()).toMatchObject({ state: 'failed', code: 'PLAN_TOO_LARGE', subtasks: [] });
      await expect(task.result()).rejects.toMatchObject({ code: 'PLAN_TOO_LARGE' });
    },
  );
});

describe('a wide plan', () => {
  test('with very many dependencies shows its status without them, and says so', async () => {
    const name = (layer: string, index: number): string => `${layer}-${index}-`.padEnd(planLimits.subtaskId, 'x');
    const first = Array.from({ length: 140 }, (_, index) => name('a', index));
    const plan = shellPlan(
      {
        ...Object.fromEntries(first.map((id) => [id, { sh: 'echo done' }])),
        ...Object.fromEntries(
          Array.from({ length: 140 }, (_, index) => [name('b', index), { sh: 'echo done', dependsOn: first }]),
        ),
      },
      { planApproval: true },
    );
    const task = await rig.start(plan);
    await until(async () => (await task.status()).decisions.length > 0, 40_000);
    const status = await task.status();
    expect(status.omitted).toEqual({ dependsOn: true, decisions: 0 });
    expect(status.subtasks).toHaveLength(280);
    expect(bytesOf(status)).toBeLessThan(limits.answerBytes);
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  });
});

const noPlan: Plan = { version: 1, rows: [], pages: [], definitions: null };
const empty = newState('x', 'x', 0);

/** All the parts of a carried state, of another task. */
const emptyState = packState({ ...empty, plan: { ...empty.plan, settings: settings(), current: noPlan } });

describe('a host that can be no queue’s name', () => {
  test.each(['h'.repeat(1_000), 'two\nlines', 'a\u0007b'])('%j is refused at once', async (host) => {
    const plan = { ...shellPlan({ a: { sh: 'echo done' } }), workspace: rig.workspace(), host };
    expect(await failureOf(await startBare(plan))).toMatchObject({ type: 'PLAN_WRONG_TYPE', nonRetryable: true });
  });
});

describe('a second argument that no run of ours left', () => {
  const unreadable: unknown[] = [
    { state: { version: 999 }, updateIds: [] },
    { state: { version: 1, state: { id: 'x' } }, updateIds: [] },
    { state: null },
    { state: null, pages: null, updateIds: [] },
    { state: null, pages: 'text', updateIds: [] },
    { state: null, pages: { hostQueue: 'q' }, updateIds: [] },
    { state: null, pages: { hostQueue: 'q', refs: [3] }, updateIds: [] },
    { state: null, pages: { hostQueue: 'q'.repeat(2_000), refs: [{ sha256: 'x', bytes: 1 }] }, updateIds: [] },
    { state: null, pages: { hostQueue: 'two\nlines', refs: [{ sha256: 'x', bytes: 1 }] }, updateIds: [] },
    { state: emptyState, updateIds: [] },
    { state: emptyState, updateIds: [3, null] },
    'text',
    3,
    false,
    [],
  ];
  // Each in an object: an array as a row would be spread over the parameters.
  test.each(unreadable.map((carried) => ({ carried })))(
    '$carried fails the task with STATE_UNREADABLE',
    async ({ carried }) => {
      const workflowId = await startBare({ goal: 'x' }, carried);
      expect(await failureOf(workflowId)).toMatchObject({ type: 'STATE_UNREADABLE', nonRetryable: true });
      const task = rig.client.task(workflowId.replace('task-', ''));
      expect(await task.status()).toMatchObject({ state: 'failed', code: 'STATE_UNREADABLE' });
    },
  );

  test('null is no second argument', async () => {
    const workflowId = await startBare({ ...shellPlan({ a: { sh: 'echo done' } }), workspace: rig.workspace() }, null);
    const result: unknown = await rig.temporal.workflow.getHandle(workflowId).result();
    expect(result).toMatchObject({ state: 'completed' });
  });
});
