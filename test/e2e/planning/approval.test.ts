// A person sees a plan before it runs: takes it, gives another one, or wants another one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionOpened, endOf, eventOf, refusalOf, useRig } from '../../support/rig.ts';
import { finishes, goodPlan, plans, startGoal, writes } from './support.ts';

const rig = useRig();

test('an edited plan runs in place of the one that was made; a broken one is refused and the question stays open', async () => {
  const { task, workspace } = await startGoal(
    rig,
    [...plans(goodPlan), ...writes('letter', 'letter.md', 'dear all\n')],
    { planApproval: true },
  );
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'plan-1', kind: 'plan' });
  expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'reject']);
  expect(decision.options[0]?.consequence).toContain('about 132k tokens, $0.18');
  const edit = (value: unknown) => refusalOf(task.decide({ decisionId: 'plan-1', option: 'edit', value }));
  expect((await edit(undefined))?.code).toBe('DECISION_NEEDS_VALUE');
  const cyclic = await edit({ subtasks: [{ id: 'a', dependsOn: ['a'] }] });
  expect(cyclic).toMatchObject({ code: 'PLAN_CYCLE' });
  expect((await edit({ subtasks: [{ id: 'a', dependsOn: ['b'], tier: 7 }] }))?.code).toBe('PLAN_INVALID');
  expect((await edit({ subtasks: [] }))?.code).toBe('PLAN_EMPTY');
  expect((await edit({ budget: { costUsd: 99 }, subtasks: [{ id: 'a' }] }))?.code).toBe('PLAN_NOT_SUPPORTED');
  expect(await task.status()).toMatchObject({ state: 'waiting', decisions: [{ id: 'plan-1' }] });
  const letter = { id: 'letter', description: 'Write letter.md', deliverables: ['letter.md'] };
  expect(await edit({ goal: 'Write the notes', subtasks: [letter] })).toBeUndefined();
  expect(await endOf(task)).toBe('completed');
  expect(await task.status()).toMatchObject({ planVersion: 2, subtasks: [{ id: 'letter', state: 'completed' }] });
  expect(readFileSync(join(workspace, 'letter.md'), 'utf8')).toBe('dear all\n');
});

test('a plan that is rejected with an instruction is made again with it, and asked about again', async () => {
  const other = {
    subtasks: [
      ...goodPlan.subtasks,
      { id: 'more', description: 'More', dependsOn: ['notes'], verify: ['test -s notes.md'] },
    ],
  };
  const { task } = await startGoal(
    rig,
    [
      ...plans(goodPlan),
      {
        when: { role: 'planner', turn: 2, contains: 'add a subtask called more' },
        reply: { text: JSON.stringify(other) },
      },
      finishes('inspect'),
      ...writes('notes', 'notes.md', 'x\n'),
      finishes('more'),
    ],
    { planApproval: true },
  );
  await eventOf(task, decisionOpened('plan-1'));
  await task.decide({ decisionId: 'plan-1', option: 'reject', instruction: 'add a subtask called more' });
  await eventOf(task, decisionOpened('plan-2'));
  expect(await task.status()).toMatchObject({ state: 'waiting', planVersion: 2 });
  expect((await task.status()).subtasks.map(({ id }) => id)).toEqual(['inspect', 'notes', 'more']);
  expect(await task.attempts()).toEqual([]);
  await task.decide({ decisionId: 'plan-2', option: 'approve' });
  expect(await endOf(task)).toBe('completed');
});

test('a plan that is rejected without a word ends the task as cancelled', async () => {
  const { task } = await startGoal(rig, plans(goodPlan), { planApproval: true });
  await eventOf(task, decisionOpened());
  await task.decide({ decisionId: 'plan-1', option: 'reject' });
  expect(await endOf(task)).toBe('cancelled');
  expect(await task.attempts()).toEqual([]);
});
