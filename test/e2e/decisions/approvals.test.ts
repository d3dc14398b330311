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

describe('plan approval', () => {
  test('runs nothing before the plan is approved', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: ok } }, { workspace, planApproval: true }));
    const decision = (await eventOf(task, decisionOpened())).decision;
    expect(decision).toMatchObject({ id: 'plan-1', kind: 'plan', subtask: null });
    expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
    expect(await task.status()).toMatchObject({ state: 'waiting', summary: 'Waiting for your approval of the plan' });
    expect(namesOf(workspace)).toEqual([]);
    await task.decide({ decisionId: 'plan-1', option: 'approve' });
    expect(await endOf(task)).toBe('completed');
  });

  test('a rejected plan ends the task as cancelled and nothing has run', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: ok } }, { workspace, planApproval: true }));
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'plan-1', option: 'reject', by: 'ana' });
    expect(await endOf(task)).toBe('cancelled');
    expect(await task.status()).toMatchObject({ state: 'cancelled', summary: 'ana did not approve the plan' });
    expect(namesOf(workspace)).toEqual([]);
  });
});

describe('approval: manual', () => {
  test('asks for each result; edit and reject run it again with what the person said', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ work: { sh: ok }, behind: { sh: ok, dependsOn: ['work'] } }, { workspace, approval: 'manual' }),
    );
    const decision = (await eventOf(task, decisionOpened())).decision;
    expect(decision).toMatchObject({ id: 'work-1', kind: 'approval', subtask: 'work', recommendation: 'approve' });
    expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
    expect(namesOf(workspace)).toEqual(['work']);
    await task.decide({ decisionId: 'work-1', option: 'reject', instruction: 'too long' });
    await eventOf(task, decisionOpened('work-2'));
    expect(promptIn(workspace, 'work', 2)).toContain('The last result was not accepted. Reason: too long');
    await task.decide({ decisionId: 'work-2', option: 'edit', value: 'call it Heddle' });
    await eventOf(task, decisionOpened('work-3'));
    expect(promptIn(workspace, 'work', 3)).toContain('call it Heddle');
    await task.decide({ decisionId: 'work-3', option: 'approve', by: 'ana' });
    await eventOf(task, decisionOpened('behind-1'));
    await task.decide({ decisionId: 'behind-1', option: 'approve' });
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['work', 'work', 'work', 'behind']);
  });

  test('a change that is given as a JSON value reaches the program too', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: ok } }, { workspace, approval: 'manual' }));
    await eventOf(task, decisionOpened());
    await task.decide({ decisionId: 'work-1', option: 'edit', value: { title: 'Heddle' } });
    await eventOf(task, decisionOpened('work-2'));
    expect(promptIn(workspace, 'work', 2)).toContain('{&quot;title&quot;:&quot;Heddle&quot;}');
  });
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
  test('that is used up asks once, starts nothing new, and goes on when it is raised', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: costs(0.9) },
          b: { sh: costs(0.2), dependsOn: ['a'] },
          c: { sh: costs(0.5), dependsOn: ['b'] },
          d: { sh: ok, dependsOn: ['c'] },
        },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    const decision = (await eventOf(task, decisionOpened())).decision;
    expect(decision).toMatchObject({ id: 'budget-costUsd-1', kind: 'budget', subtask: null });
    // What b used is known before its checks are through.
    await until(async () => (await task.status()).state === 'waiting');
    expect((await task.status()).budget.costUsd).toMatchObject({ limit: 1, used: expect.closeTo(1.1) as number });
    expect(namesOf(workspace)).toEqual(['a', 'b']);
    expect(await codeOf(task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value: 0.5 }))).toBe(
      'MESSAGE_INVALID',
    );
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value: 1.5 });
    await eventOf(task, decisionOpened('budget-costUsd-2'));
    expect(namesOf(workspace)).toEqual(['a', 'b', 'c']);
    await task.decide({ decisionId: 'budget-costUsd-2', option: 'raise' });
    expect(await endOf(task)).toBe('completed');
    // Twice what is used, which is more than the limit: asked once.
    expect((await task.status()).budget.costUsd?.limit).toBeCloseTo(3.2);
    const types = (await task.events()).map(({ type }) => type).filter((type) => type.startsWith('budget.'));
    expect(types).toEqual(['budget.warning', 'budget.exhausted', 'budget.exhausted']);
    const [listed] = await rig.client.list(`WorkflowId = '${task.workflowId}' AND HeddleCostUsd > 1.5`);
    expect(listed?.id).toBe(task.id);
  });

  test('that one subtask exceeds many times over is raised by one answer, and a value that is not above the use is refused', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        { dear: { sh: costs(9) }, next: { sh: costs(5), dependsOn: ['dear'] } },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    await eventOf(task, decisionOpened('budget-costUsd-1'));
    for (const value of [5, 9, '9', 0, 'much'])
      expect(await codeOf(task.decide({ decisionId: 'budget-costUsd-1', option: 'raise', value }))).toBe(
        'MESSAGE_INVALID',
      );
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'raise' });
    expect(await endOf(task)).toBe('completed');
    expect(namesOf(workspace)).toEqual(['dear', 'next']);
    expect((await task.status()).budget.costUsd).toEqual({ limit: 18, used: 14 });
    expect(eventsOf(await task.events(), 'decision.opened')).toHaveLength(1);
    expect(eventsOf(await task.events(), 'budget.exhausted')).toMatchObject([{ key: 'costUsd', used: 9, limit: 1 }]);
  });

  test('of time that is over long ago is raised by one answer', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace, budget: { wallClock: '1s' } }));
    await eventOf(task, decisionOpened('work-1'));
    await eventOf(task, decisionOpened('budget-wallClock-1'));
    await sleep(3_000);
    expect(await codeOf(task.decide({ decisionId: 'budget-wallClock-1', option: 'raise', value: '3s' }))).toBe(
      'MESSAGE_INVALID',
    );
    await task.decide({ decisionId: 'budget-wallClock-1', option: 'raise', value: '2h' });
    await task.decide({ decisionId: 'work-1', option: 'skip' });
    expect(await endOf(task)).toBe('completed');
    expect(eventsOf(await task.events(), 'budget.exhausted')).toHaveLength(1);
  });

  test('finish does not run again what fails afterwards, and does not call it a success', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          runs: { sh: `${witness}; until [ -e go ]; do sleep 0.05; done; echo broke >&2; exit 1` },
          costly: { sh: costs(2) },
        },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    await eventOf(task, decisionOpened('budget-costUsd-1'));
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'finish', by: 'ana' });
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('failed');
    expect(namesOf(workspace).sort()).toEqual(['costly', 'runs']);
    expect((await task.status()).subtasks).toMatchObject([{ state: 'failed' }, { state: 'completed' }]);
  });

  test('finish skips what has not started, closes other questions and waits for what runs, without asking again', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan(
        {
          stuck: { sh: asks },
          runs: { sh: `${witness}; until [ -e go ]; do sleep 0.05; done; echo done` },
          cheap: { sh: costs(2), dependsOn: [] },
          later: { sh: ok, dependsOn: ['cheap'] },
        },
        { workspace, budget: { costUsd: 1 } },
      ),
    );
    await eventOf(task, decisionOpened('budget-costUsd-1'));
    await eventOf(task, decisionOpened('stuck-1'));
    await until(() => namesOf(workspace).length === 3);
    await task.decide({ decisionId: 'budget-costUsd-1', option: 'finish', by: 'ana' });
    expect((await task.status()).decisions).toEqual([]);
    writeFileSync(join(workspace, 'go'), '');
    expect(await endOf(task)).toBe('completed');
    expect(Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]))).toEqual({
      stuck: 'skipped',
      runs: 'completed',
      cheap: 'completed',
      later: 'skipped',
    });
    expect((await task.events()).filter(({ type }) => type === 'decision.opened')).toHaveLength(2);
  });

  test('of time asks when it is over, although nothing else happens', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: asks } }, { workspace, budget: { wallClock: '2s' } }));
    await eventOf(task, decisionOpened('budget-wallClock-1'));
    await task.decide({ decisionId: 'budget-wallClock-1', option: 'stop' });
    expect(await endOf(task)).toBe('cancelled');
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
