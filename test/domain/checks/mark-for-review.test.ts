/* Review of unchecked results of a model's plan. */
import { expect, test } from 'vitest';
import { markForReview } from '../../../domain/checks/mark-for-review.ts';
import type { Model } from '../../../domain/types/llm.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { agentExecutor, subtask } from '../support-task.ts';

const reader: Subtask['executor'] = { kind: 'agent', tools: ['read_file'], iterations: 20, timeout: 60_000 };
const judge: Model = {
  name: 'judge',
  id: 'judge',
  provider: { name: 'p', kind: 'scripted', script: 's.yaml' },
  tier: 1,
  roles: ['verifier'],
  context: 100_000,
  output: 1_000,
  thinking: 'off',
  stream: false,
};
const price = { in: 1, out: 1, cached: 0 };
const reads = (id: string, dependsOn: string[] = []): Subtask => subtask(id, { executor: reader, dependsOn });
const works = (id: string, more: Partial<Subtask> = {}): Subtask => subtask(id, { executor: agentExecutor, ...more });

const marksOf = (subtasks: Subtask[], more: Partial<Parameters<typeof markForReview>[0]> = {}): unknown =>
  Object.fromEntries(
    markForReview({ subtasks, written: 'all', models: [judge], costLimited: false, ...more }).map(
      ({ id, whenUnchecked }) => [id, whenUnchecked],
    ),
  );

test('a subtask that can change something is reviewed, and so is a reading one that nothing waits for', () => {
  const plan = [reads('look'), works('write', { dependsOn: ['look'] }), reads('tell', ['write']), reads('aside')];
  expect(marksOf(plan)).toEqual({ look: undefined, write: 'judge', tell: 'judge', aside: 'judge' });
});

test('a synthesis is the only last subtask', () => {
  const plan = [reads('look'), { ...reads('sum'), synthesis: true }];
  expect(marksOf(plan)).toEqual({ look: undefined, sum: 'judge' });
});

test('a subtask that only a superseded one waits for is the last', () => {
  const plan = [reads('look'), works('gone', { dependsOn: ['look'] })];
  expect(marksOf(plan, { superseded: new Set(['gone']) })).toMatchObject({ look: 'judge' });
});

test('a person is asked where no model judges, where a judge would break the budget, and where there is nothing to judge', () => {
  const plan = [works('write')];
  expect(marksOf(plan, { models: [{ ...judge, roles: ['executor'] }] })).toEqual({ write: 'ask' });
  expect(marksOf(plan, { costLimited: true })).toEqual({ write: 'ask' });
  expect(marksOf(plan, { costLimited: true, models: [{ ...judge, price }] })).toEqual({ write: 'judge' });
  expect(marksOf([works('copy', { isolation: 'worktree' })])).toEqual({ copy: 'ask' });
  expect(marksOf([works('verify-goal', { goalCheck: true })])).toEqual({ 'verify-goal': 'ask' });
});

test('a subtask that no model wrote stays as it is', () => {
  const plan = [works('mine'), works('new')];
  expect(marksOf(plan, { written: new Set(['new']) })).toEqual({ mine: undefined, new: 'judge' });
});

test('a mark that no longer applies is removed', () => {
  const plan = [{ ...reads('look'), whenUnchecked: 'ask' as const }, works('write', { dependsOn: ['look'] })];
  expect(marksOf(plan)).toEqual({ look: undefined, write: 'judge' });
});
