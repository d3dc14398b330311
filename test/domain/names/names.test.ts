// Names that the contract promises: what is built is what is read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as names from '../../../domain/names/names.ts';
import { subtaskId } from '../../../domain/input/values.ts';

/** Ids as the plan's schema lets them through, the worst of them made of the parts of our own names. */
const word = fc.constantFrom('a', 'É', '日', '-', '.', '_', '1', '0', '-1-execute', '-2-verify', '-host-', 'task-');
const subtask = fc
  .array(word, { minLength: 1, maxLength: 8 })
  .map((words) => words.join('').slice(0, 64))
  .filter((id) => subtaskId.safeParse(id).data === id);

test('the id of an activity is read back as the call that it was made of', () => {
  const call = fc.record({
    subtask,
    attempt: fc.integer({ min: 1 }),
    verb: fc.constantFrom('execute', 'verify', 'judge', 'merge'),
  });
  fc.assert(
    fc.property(call, (made) => {
      expect(names.parseActivityId(names.buildActivityId(made))).toEqual(made);
    }),
  );
});

test('two calls never have one id', () => {
  const call = fc.record({
    subtask,
    attempt: fc.nat(12),
    verb: fc.constantFrom('execute', 'verify', 'judge', 'merge'),
  });
  fc.assert(
    fc.property(call, call, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(names.buildActivityId(one) === names.buildActivityId(other)).toBe(isSame);
    }),
  );
});

test.each([
  null,
  undefined,
  '',
  '1',
  'a-1',
  'a-x-execute',
  'a-0-execute',
  'a-01-verify',
  '-1-execute',
  'a-1-plan',
  'a-1-executed',
  'a-1-verify-2',
])('%s is the id of no attempt', (id) => {
  expect(names.parseActivityId(id)).toBeUndefined();
});

test('ids are spelled as the contract says', () => {
  expect(names.buildActivityId({ subtask: 'draft', attempt: 2, verb: 'execute' })).toBe('draft-2-execute');
  expect(names.buildWorkflowId('x1')).toBe('task-x1');
  expect(names.buildProjectWorkflowId('site')).toBe('project-site');
  expect(names.buildHostQueue(names.defaultTaskQueue, 'alpha')).toBe('heddle-host-alpha');
  expect(names.workflowTypes).toEqual({ task: 'task', project: 'project' });
  expect(names.decisionKinds).toEqual(['approval', 'escalation', 'plan', 'budget', 'question']);
});

test('a task has its id back from its workflow id, also one that begins like a prefix', () => {
  for (const id of ['x1', 'task-x1', 'task-', 'project-x'])
    expect(names.parseTaskId(names.buildWorkflowId(id))).toBe(id);
  expect(names.parseTaskId('chosen-by-a-bare-client')).toBe('chosen-by-a-bare-client');
});

test('the host of a queue is read back, and other queues have none', () => {
  const host = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(fc.string(), host, (queue, of) => {
      expect(names.hostOfQueue(names.buildHostQueue(queue, of), queue)).toBe(of);
    }),
  );
  for (const queue of ['heddle', 'gpu', 'heddle-host-', 'other-host-alpha'])
    expect(names.hostOfQueue(queue, 'heddle')).toBeUndefined();
});
