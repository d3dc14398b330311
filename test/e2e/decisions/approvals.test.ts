// Questions that are no failures: the plan, results that a person wants to see, deadlines of policies, budgets.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { codeOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { namesOf, promptIn, until, witness } from '../../support/witness.ts';

const rig = useRig();
const ok = `${witness}; echo done`;
const asks = `${witness}; echo "not allowed" >&2; exit 77`;
const costs = (usd: number): string => `${witness}; echo '{"status":"success","costUsd":${usd}}'`;

test('a rejected plan ends the task as cancelled and nothing has run', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(shellPlan({ work: { sh: ok } }, { workspace, planApproval: true }));
  await eventOf(task, decisionOpened());
  await task.decide({ decisionId: 'plan-1', option: 'reject', by: 'ana' });
  expect(await endOf(task)).toBe('cancelled');
  expect(await task.status()).toMatchObject({ state: 'cancelled', summary: 'ana did not approve the plan' });
  expect(namesOf(workspace)).toEqual([]);
});

test('nothing runs before the plan is approved; each result is asked for, and edit and reject run it again with what the person said', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(
    shellPlan(
      { work: { sh: ok }, behind: { sh: ok, dependsOn: ['work'] } },
      { workspace, planApproval: true, approval: 'manual' },
    ),
  );
  const plan = (await eventOf(task, decisionOpened())).decision;
  expect(plan).toMatchObject({ id: 'plan-1', kind: 'plan', subtask: null });
  expect(plan.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
  expect(await task.status()).toMatchObject({ state: 'waiting', summary: 'Waiting for your approval of the plan' });
  expect(namesOf(workspace)).toEqual([]);
  await task.decide({ decisionId: 'plan-1', option: 'approve' });

  const { decision } = await eventOf(task, decisionOpened('work-1'));
  expect(decision).toMatchObject({ kind: 'approval', subtask: 'work', recommendation: 'approve' });
  expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
  expect(namesOf(workspace)).toEqual(['work']);
  await task.decide({ decisionId: 'work-1', option: 'reject', instruction: 'too long' });
  await eventOf(task, decisionOpened('work-2'));
  expect(promptIn(workspace, 'work', 2)).toContain('The last result was not accepted. Reason: too long');
  await task.decide({ decisionId: 'work-2', option: 'edit', value: 'call it Heddle' });
  await eventOf(task, decisionOpened('work-3'));
  expect(promptIn(workspace, 'work', 3)).toContain('call it Heddle');
  await task.decide({ decisionId: 'work-3', option: 'edit', value: { title: 'Heddle' } });
  await eventOf(task, decisionOpened('work-4'));
  expect(promptIn(workspace, 'work', 4)).toContain('{&quot;title&quot;:&quot;Heddle&quot;}');
  await task.decide({ decisionId: 'work-4', option: 'approve', by: 'ana' });
  await eventOf(task, decisionOpened('behind-1'));
  await task.decide({ decisionId: 'behind-1', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
  expect(namesOf(workspace)).toEqual(['work', 'work', 'work', 'work', 'behind']);
});

describe('a deadline', () => {
  test('lets the policy answer in its place, and is recorded as its decision', async () => {
    const workspace = rig.workspace();
    const policy = (onTimeout: 'proceed' | 'skip') => ({ mode: 'manual' as const, onTimeout, timeout: '300ms' });
    const proceeds = await rig.start(shellPlan({ work: { sh: ok } }, { workspace, approval: policy('proceed') }));
    const skips = await rig.start(shellPlan({ work: { sh: ok } }, { approval: policy('skip') }));
    expect(await endOf(proceeds)).toBe('completed');
    expect((await proceeds.events()).find(({ type }) => type === 'decision.answered')).toMatchObject({
      option: 'approve',
      by: 'policy (deadline passed)',
    });
    expect(await endOf(skips)).toBe('completed');
    expect((await skips.status()).subtasks).toMatchObject([{ state: 'skipped' }]);
  });

  test('of a policy that denies fails the subtask instead of running it for ever', async () => {
    const workspace = rig.workspace();
    const approval = { mode: 'manual' as const, onTimeout: 'deny' as const, timeout: '200ms' };
    const task = await rig.start(
      shellPlan({ work: { sh: ok }, behind: { sh: ok, dependsOn: ['work'] } }, { workspace, approval }),
    );
    expect(await endOf(task)).toBe('failed');
    expect(namesOf(workspace)).toEqual(['work']);
    expect((await task.status()).subtasks).toMatchObject([{ state: 'failed' }, { state: 'blocked' }]);
    expect((await task.events()).find(({ type }) => type === 'decision.answered')).toMatchObject({
      option: 'reject',
      by: 'policy (deadline passed)',
    });
  });
});

describe('a budget', () => {
  test('that is used up asks once, starts nothing new, and goes on when it is raised above the use, once also where it was exceeded many times over', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: costs(0.9) },
          b: { sh: costs(0.2), dependsOn: ['a'] },
          dear: { sh: costs(8.9), dependsOn: ['b'] },
          next: { sh: costs(5), dependsOn: ['dear'] },
        },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    const decision = (await eventOf(task, decisionOpened())).decision;
    expect(decision).toMatchObject({ id: 'budget-costUsd-1', kind: 'budget', subtask: null });
    // The use of b is known before its checks are through.
    await until(async () => (await task.status()).state === 'waiting');
    expect((await task.status()).budget.costUsd).toMatchObject({ limit: 1, used: expect.closeTo(1.1) as number });
    expect(namesOf(workspace)).toEqual(['a', 'b']);
    expect(await codeOf(task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value: 0.5 }))).toBe(
      'MESSAGE_INVALID',
    );
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value: 1.5 });
    await eventOf(task, decisionOpened('budget-costUsd-2'));
    expect(namesOf(workspace)).toEqual(['a', 'b', 'dear']);
    // Many times over: what is not above the use is refused, and one answer is enough.
    for (const value of [5, 10, '10', 0, 'much'])
      expect(await codeOf(task.decide({ decisionId: 'budget-costUsd-2', option: 'raise', value }))).toBe(
        'MESSAGE_INVALID',
      );
    await task.decide({ decisionId: 'budget-costUsd-2', option: 'raise' });
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['a', 'b', 'dear', 'next']);
    // Twice what is used, which is more than the limit: asked once.
    const { costUsd } = (await task.status()).budget;
    expect(costUsd?.limit).toBeCloseTo(20);
    expect(costUsd?.used).toBeCloseTo(15);
    const events = await task.events();
    expect(eventsOf(events, 'decision.opened')).toHaveLength(2);
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('budget.'));
    expect(types).toEqual(['budget.warning', 'budget.exhausted', 'budget.exhausted']);
    const [first, second] = eventsOf(events, 'budget.exhausted');
    expect(first).toMatchObject({ key: 'costUsd', used: expect.closeTo(1.1) as number, limit: 1 });
    expect(second).toMatchObject({ key: 'costUsd', used: expect.closeTo(10) as number, limit: 1.5 });
    const [listed] = await rig.client.list(`WorkflowId = '${task.workflowId}' AND HeddleCostUsd > 1.5`);
    expect(listed?.id).toBe(task.id);
  });

  test('of time asks when it is over, although nothing else happens; when it is over long ago it is raised by one answer; or the task is stopped', async () => {
    const workspace = rig.workspace();
    const stopped = await rig.start({
      ...shellPlan({ work: { sh: asks } }, { budget: { wallClock: '1s' } }),
      planApproval: true,
    });
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace, budget: { wallClock: '1s' } }));
    await eventOf(task, decisionOpened('work-1'));
    await eventOf(task, decisionOpened('budget-wallClock-1'));
    await sleep(1_500);
    // Above the limit, and not above the use.
    expect(await codeOf(task.decide({ decisionId: 'budget-wallClock-1', option: 'raise', value: '2s' }))).toBe(
      'MESSAGE_INVALID',
    );
    await task.decide({ decisionId: 'budget-wallClock-1', option: 'raise', value: '2h' });
    await task.decide({ decisionId: 'work-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    expect(eventsOf(await task.events(), 'budget.exhausted')).toHaveLength(1);
    await eventOf(stopped, decisionOpened('budget-wallClock-1'));
    await stopped.decide({ decisionId: 'budget-wallClock-1', option: 'stop' });
    expect(await endOf(stopped)).toBe('cancelled');
  });

  test('finish skips what has not started, closes other questions and waits for what runs, without asking again; what fails then does not run again, and is no success', async () => {
    const workspace = rig.workspace();
    const held = `${witness}; until [ -e go ]; do sleep 0.05; done`;
    const task = await rig.start(
      shellPlan(
        {
          stuck: { sh: asks },
          runs: { sh: `${held}; echo done` },
          breaks: { sh: `${held}; echo broke >&2; exit 1` },
          cheap: { sh: costs(2), dependsOn: [] },
          later: { sh: ok, dependsOn: ['cheap'] },
        },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    await eventOf(task, decisionOpened('budget-costUsd-1'));
    await eventOf(task, decisionOpened('stuck-1'));
    await until(() => namesOf(workspace).length === 4);
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'finish', by: 'ana' });
    expect((await task.status()).decisions).toEqual([]);
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('failed');
    expect(namesOf(workspace).sort()).toEqual(['breaks', 'cheap', 'runs', 'stuck']);
    expect(Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]))).toEqual({
      stuck: 'skipped',
      runs: 'completed',
      breaks: 'failed',
      cheap: 'completed',
      later: 'skipped',
    });
    expect((await task.events()).filter(({ type }) => type === 'decision.opened')).toHaveLength(2);
  });

  test('of time that was finished with is not asked for again and again while a program still runs', async () => {
    const workspace = rig.workspace();
    const runs = `${witness}; until [ -e go ]; do sleep 0.05; done; echo done`;
    const task = await rig.start(shellPlan({ runs: { sh: runs } }, { workspace, budget: { wallClock: '1s' } }));
    await eventOf(task, decisionOpened('budget-wallClock-1'));
    await task.decide({ decisionId: 'budget-wallClock-1', option: 'finish' });
    await sleep(1_500);
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('completed');
    const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
    expect((events ?? []).filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
  });
});
