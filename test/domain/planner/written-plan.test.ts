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

test('what any version superseded is left out, as a dependency too', () => {
  const { part } = rewrite([...before, subtask('new', { dependsOn: ['a', 'b', 'sum'] })]);
  expect(part['subtasks']).toMatchObject([
    { id: 'b', dependsOn: [] },
    { id: 'new', dependsOn: ['b'] },
  ]);
});

test('the check of the whole goal is not written: every plan of the task gets it', () => {
  const { part } = rewrite([...before, subtask('verify-goal', { goalCheck: true })]);
  expect(part['subtasks']).toMatchObject([{ id: 'b' }]);
});

test('what stayed keeps all that its author wrote, and keys of the whole task are left out', () => {
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

test('a change takes the place of what was written', () => {
  const written = rewrite([a, { ...b, description: 'else', criteria: ['true'] }, sum]);
  expect(entry(written, 'b')).toMatchObject({ description: 'else', criteria: ['true'], executor: own });
});

test('an executor that a model changed is the agent, or what does all other work', () => {
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
])('checks %s are known as those of a model or not', (_, changed, expected) => {
  const subtasks = changed.id === 'b' ? [a, changed, sum] : [...before, changed];
  expect(rewrite(subtasks).byModel).toEqual(expected);
});

test('checks that a model wrote stay known as such in later versions', () => {
  expect(rewrite(before, { ...sent, byModel: ['b', 'sum'] }).byModel).toEqual(['b']);
});

test.each([sent, { ...sent, byModel: ['b'] }])('what is stored is read as it was', (written) => {
  expect(readWrittenPlan(JSON.parse(formatWrittenPlan(written)))).toEqual(written);
});

test.each([null, [], 'text', 3])('%j is no stored plan', (value) => {
  expect(readWrittenPlan(value)).toBeUndefined();
});
