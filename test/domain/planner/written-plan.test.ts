import { expect, test } from 'vitest';
import type { PlanSoFar } from '../../../domain/types/plan.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import {
  formatWrittenPlan,
  readWrittenPlan,
  rewriteVersion,
  sentPlan,
  type WrittenPlan,
} from '../../../domain/planner/written-plan.ts';
import { agentExecutor, subtask } from '../support-task.ts';

/* A new version of a plan, as it is stored for a retry. */

const have: PlanSoFar = {
  version: 1,
  reason: 'It is stuck.',
  pages: [],
  subtasks: [
    { id: 'a', status: 'skipped', attempts: 0, superseded: true },
    { id: 'b', status: 'waiting', attempts: 1 },
  ],
  exhausted: [],
  steering: [],
  left: 3,
};

const own = { kind: 'command', run: ['./own.sh'], env: ['TOKEN'] };
const before: Subtask[] = [
  subtask('a'),
  subtask('b', { dependsOn: ['a'], verify: ['test -e b'] }),
  subtask('sum', { dependsOn: ['b'] }),
];
const sent = sentPlan({
  goal: 'g',
  budget: { costUsd: 1 },
  executor: 'claude',
  subtasks: [
    { id: 'a' },
    { id: 'b', dependsOn: ['a'], verify: ['test -e b'], executor: own, maxAttempts: 3 },
    { id: 'sum', dependsOn: ['b'] },
  ],
});

function rewrite(subtasks: Subtask[], earlier: WrittenPlan = sent): WrittenPlan {
  return rewriteVersion({ earlier, before, subtasks, have, superseded: [{ id: 'sum', reason: 'no' }] });
}

const entry = (written: WrittenPlan, id: string): unknown =>
  (written.part['subtasks'] as { id: string }[]).find((each) => each.id === id);

const [a = subtask('a'), b = subtask('b'), sum = subtask('sum')] = before;

test('superseded subtasks of any version are dropped, as dependencies too', () => {
  const { part } = rewrite([...before, subtask('new', { dependsOn: ['a', 'b', 'sum'] })]);
  expect(part['subtasks']).toMatchObject([
    { id: 'b', dependsOn: [] },
    { id: 'new', dependsOn: ['b'] },
  ]);
});

test('the check of the whole goal is not written, because every plan of the task gets it', () => {
  const { part } = rewrite([...before, subtask('verify-goal', { goalCheck: true })]);
  expect(part['subtasks']).toMatchObject([{ id: 'b' }]);
});

test('a subtask that stayed keeps all that its author wrote, without keys of the whole task', () => {
  const written = rewrite([a, b, sum]);
  expect(entry(written, 'b')).toEqual({
    id: 'b',
    dependsOn: [],
    verify: ['test -e b'],
    executor: own,
    maxAttempts: 3,
  });
  expect(Object.keys(written.part)).toEqual(['executor', 'subtasks']);
});

test('a change replaces the written value', () => {
  const written = rewrite([a, { ...b, description: 'else', criteria: ['true'] }, sum]);
  expect(entry(written, 'b')).toMatchObject({ description: 'else', criteria: ['true'], executor: own });
});

test("an executor that a model changed is the agent or the task's default", () => {
  const agent = subtask('b', { executor: agentExecutor });
  expect(entry(rewrite([a, agent, sum]), 'b')).toMatchObject({ executor: { kind: 'agent' } });
  const program: Subtask['executor'] = {
    kind: 'command',
    run: ['claude'],
    prompt: 'stdin',
    timeout: 60_000,
    env: [],
    onCrash: 'rerun',
  };
  const other = subtask('b', { executor: program });
  expect(entry(rewrite([a, other, sum]), 'b')).not.toHaveProperty('executor');
});

test.each([
  ['of what is new', subtask('new', { verify: ['true'] }), ['new']],
  ['that were changed', { ...b, verify: ['test -e c'] }, ['b']],
  ['that are as they were', b, []],
])('checks %s are attributed to a model or not', (_, changed, expected) => {
  const subtasks = changed.id === 'b' ? [a, changed, sum] : [...before, changed];
  expect(rewrite(subtasks).byModel).toEqual(expected);
});

test('checks that a model wrote stay attributed to it in later versions', () => {
  expect(rewrite(before, { ...sent, byModel: ['b', 'sum'] }).byModel).toEqual(['b']);
});

test.each([sent, { ...sent, byModel: ['b'] }])('a stored plan is read as it was written', (written) => {
  expect(readWrittenPlan(JSON.parse(formatWrittenPlan(written)))).toEqual(written);
});

test.each([null, [], 'text', 3])('%j is not a stored plan', (value) => {
  expect(readWrittenPlan(value)).toBeUndefined();
});
