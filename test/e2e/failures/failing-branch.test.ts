// A ladder without a person: what a failed subtask does to its branch, to the others and to the task.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { failsWith, namesOf, witness } from '../../support/witness.ts';

const rig = useRig();
const ladder = [{ tier: 'assigned' as const }, { tier: 'assigned' as const, feedback: true }];
const ok = `${witness}; echo done`;

describe('a failing branch', () => {
  test('is blocked while the rest finishes, and the task fails', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          bad: { sh: failsWith('pump', 'pump', 'pump') },
          child: { sh: ok, dependsOn: ['bad'] },
          grandchild: { sh: ok, dependsOn: ['child', 'good'] },
          good: { sh: `until [ -e go ]; do sleep 0.05; done; ${ok}` },
          after: { sh: ok, dependsOn: ['good'] },
        },
        { workspace, ladder },
      ),
    );
    await eventOf(task, ({ type }) => type === 'subtask.blocked');
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('failed');
    expect(namesOf(workspace).sort()).toEqual(['after', 'bad', 'bad', 'good']);
    const { subtasks, state, decisions, summary } = await task.status();
    expect(Object.fromEntries(subtasks.map(({ id, state: how }) => [id, how]))).toEqual({
      bad: 'failed',
      child: 'blocked',
      grandchild: 'blocked',
      good: 'completed',
      after: 'completed',
    });
    expect({ state, decisions }).toEqual({ state: 'failed', decisions: [] });
    expect(summary).toBe('bad failed; child and grandchild could not run');
    const events = await task.events();
    const blocked = eventsOf(events, 'subtask.blocked');
    expect(blocked.map(({ subtask, independent }) => ({ subtask, independent }))).toEqual([
      { subtask: 'child', independent: 2 },
      { subtask: 'grandchild', independent: 2 },
    ]);
  });

  test('ends the workflow as Failed with the type TASK_FAILED and no stack', async () => {
    const task = await rig.start(shellPlan({ bad: { sh: failsWith('pump', 'pump') } }, { ladder }));
    const handle = rig.temporal.workflow.getHandle(task.workflowId);
    const error: unknown = await handle.result().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    const cause = (error as WorkflowFailedError).cause;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect(cause).toMatchObject({ type: 'TASK_FAILED', message: 'bad failed', nonRetryable: true });
    expect((cause as ApplicationFailure).failure?.stackTrace ?? '').toBe('');
    expect((await handle.describe()).status.name).toBe('FAILED');
    await expect(task.result()).rejects.toMatchObject({ code: 'TASK_FAILED', message: 'bad failed' });
  });

  test('blocks the synthesis too, which is not counted as independent', async () => {
    const task = await rig.start(
      shellPlan({ bad: { sh: failsWith('pump', 'pump') }, report: { sh: ok, synthesis: true } }, { ladder }),
    );
    expect(await endOf(task)).toBe('failed');
    const blocked = eventsOf(await task.events(), 'subtask.blocked');
    expect(blocked.map(({ subtask, independent }) => ({ subtask, independent }))).toEqual([
      { subtask: 'report', independent: 0 },
    ]);
  });

  test('stops the whole task at once where the failed subtask is critical', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          first: { sh: ok },
          bad: {
            sh: 'test -e mended || { echo "no pump" >&2; exit 3; }; echo fine',
            dependsOn: ['first'],
            critical: true,
          },
          child: { sh: ok, dependsOn: ['bad'] },
          slow: { sh: `sleep 60; ${ok}`, dependsOn: ['first'] },
        },
        { workspace, ladder },
      ),
    );
    await expect(task.result()).rejects.toMatchObject({
      code: 'CRITICAL_FAILED',
      message: expect.stringMatching(/^bad is critical and failed: /) as string,
    });
    const { state, code, subtasks } = await task.status();
    expect({ state, code }).toEqual({ state: 'failed', code: 'CRITICAL_FAILED' });
    expect(Object.fromEntries(subtasks.map(({ id, state: how }) => [id, how]))).toEqual({
      first: 'completed',
      bad: 'failed',
      child: 'blocked',
      slow: 'skipped',
    });
    expect(subtasks.map(({ critical = false }) => critical)).toEqual([false, true, false, false]);
  });

  test('fails too where a person would be asked at once: never-retry and blocked', async () => {
    const task = await rig.start(
      shellPlan(
        { forbidden: { sh: 'echo no >&2; exit 77' }, stuck: { sh: `echo '{"status":"blocked","notes":"no spec"}'` } },
        { ladder },
      ),
    );
    expect(await endOf(task)).toBe('failed');
    const attempts = await task.attempts();
    expect(attempts.map(({ subtask, category }) => `${subtask} ${category ?? ''}`).sort()).toEqual([
      'forbidden never-retry',
      'stuck blocked',
    ]);
  });
});
