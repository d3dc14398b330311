import { describe, expect, test } from 'vitest';
import {
  countIndependent,
  isBusy,
  nextDue,
  openBranch,
  startable,
  taskStatus,
} from '../../../domain/schedule/schedule.ts';
import { openDependents, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import { newState } from '../../../domain/task/state.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { Driver } from '../attempt/support-driver.ts';
import { failureOf, planQuestionOf, stateOf, subtask, t0 } from '../support-task.ts';

/* When a subtask may start, which others continue beside a subtask that cannot, and the status of the task. */

const drive = (subtasks: Subtask[], given: Partial<TaskSettings> = {}): Driver =>
  new Driver(stateOf(subtasks, given), t0);

const ready = (driver: Driver): string[] => startable(driver.state, driver.now);
const status = (driver: Driver, id: string): string => statusOf(subtaskOf(driver.state, id));
const stateOfTask = (driver: Driver): string => taskStatus(driver.state, driver.now);

/** Starts what may start and says what that was. */
function startAll(driver: Driver): string[] {
  const ids = ready(driver);
  for (const id of ids) driver.begin(id);
  return ids;
}

const blocked = failureOf({ type: 'blocked', category: 'blocked', signature: 'blocked-x', summary: 'it cannot go on' });

const diamond = (): Subtask[] => [
  subtask('a'),
  subtask('b', { dependsOn: ['a'] }),
  subtask('c', { dependsOn: ['a'] }),
  subtask('d', { dependsOn: ['b', 'c'] }),
];

describe('startable', () => {
  test('starts a diamond from its top, each subtask when its last dependency is done', () => {
    const driver = drive(diamond());
    expect(startAll(driver)).toEqual(['a']);
    driver.pass('a');
    expect(startAll(driver)).toEqual(['b', 'c']);
    driver.pass('c');
    expect(startAll(driver)).toEqual([]);
    driver.pass('b');
    expect(startAll(driver)).toEqual(['d']);
  });

  test('knows no barrier: a subtask does not wait for a sibling it does not depend on', () => {
    const driver = drive([subtask('fast'), subtask('slow'), subtask('next', { dependsOn: ['fast'] })]);
    startAll(driver);
    driver.pass('fast');
    expect(ready(driver)).toEqual(['next']);
  });

  test('runs a chain one by one', () => {
    const driver = drive([subtask('c', { dependsOn: ['b'] }), subtask('b', { dependsOn: ['a'] }), subtask('a')]);
    const order: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const [id, ...others] = startAll(driver);
      expect(others).toEqual([]);
      order.push(id ?? '');
      driver.pass(id ?? '');
    }
    expect(order).toEqual(['a', 'b', 'c']);
  });

  test('never runs more than the limit, and fills each slot as it gets free', () => {
    const wide = Array.from({ length: 7 }, (_, n) => subtask(`s${n}`));
    const driver = drive(wide, { maxParallelSubtasks: 3 });
    expect(startAll(driver)).toEqual(['s0', 's1', 's2']);
    expect(ready(driver)).toEqual([]);
    driver.pass('s1');
    expect(startAll(driver)).toEqual(['s3']);
  });

  test('lets a synthesis wait for all others, also for those it does not name', () => {
    const driver = drive([subtask('sum', { synthesis: true }), subtask('a'), subtask('b')]);
    expect(startAll(driver)).toEqual(['a', 'b']);
    driver.pass('a');
    expect(ready(driver)).toEqual([]);
    driver.fail('b', blocked);
    expect(ready(driver)).toEqual([]);
    driver.answer({ decisionId: 'b-1', option: 'skip' });
    expect(ready(driver)).toEqual(['sum']);
  });

  test('never runs two at once that write the same deliverable', () => {
    const driver = drive([
      subtask('a', { deliverables: ['x.md', 'y.md'] }),
      subtask('b', { deliverables: ['y.md'] }),
      subtask('c', { deliverables: ['z.md'] }),
    ]);
    expect(startAll(driver)).toEqual(['a', 'c']);
    driver.pass('a');
    expect(ready(driver)).toEqual(['b']);
  });

  test.each([
    ['a folder and a file in it', 'out', 'out/deep/x.txt'],
    ['a file and a folder above it', 'out/deep/x.txt', 'out'],
    ['names that differ in case alone', 'Out', 'out/x.txt'],
    ['spellings of one letter', 'caf\u00e9/x.txt', 'cafe\u0301'],
  ])('never runs two at once whose deliverables overlap: %s', (_, one, other) => {
    const driver = drive([
      subtask('a', { deliverables: [one] }),
      subtask('b', { deliverables: [other] }),
      subtask('c', { deliverables: ['output', 'out.txt'] }),
    ]);
    expect(startAll(driver)).toEqual(['a', 'c']);
    driver.pass('a');
    expect(ready(driver)).toEqual(['b']);
  });

  test('serves the first that came when several write the same deliverable', () => {
    const driver = drive([
      subtask('first', { deliverables: ['x.md'] }),
      subtask('both', { deliverables: ['x.md', 'y.md'] }),
      subtask('late', { deliverables: ['y.md'] }),
    ]);
    expect(startAll(driver)).toEqual(['first']);
    driver.pass('first');
    expect(startAll(driver)).toEqual(['both']);
    driver.pass('both');
    expect(ready(driver)).toEqual(['late']);
  });

  test('gives the slot of a subtask that waits for a person to others', () => {
    const driver = drive([subtask('a'), subtask('b')], { maxParallelSubtasks: 1 });
    expect(startAll(driver)).toEqual(['a']);
    driver.fail('a', blocked);
    expect(startAll(driver)).toEqual(['b']);
  });

  test('gives the slot of a subtask that waits for its next attempt to others, and starts it when it is due', () => {
    const driver = drive([subtask('a'), subtask('b')], { maxParallelSubtasks: 1 });
    startAll(driver);
    driver.fail('a', failureOf({ type: 'timeout', signature: 'timeout-x' }));
    expect(startAll(driver)).toEqual(['b']);
    driver.pass('b');
    expect(ready(driver)).toEqual([]);
    expect(nextDue(driver.state)).toBe(t0 + 1_500);
    driver.now += 1_500;
    expect(startAll(driver)).toEqual(['a']);
    expect(subtaskOf(driver.state, 'a').climb.attempts).toBe(2);
  });

  test('goes on with the same attempt after a wait for the environment', () => {
    const driver = drive([subtask('a')]);
    const full = failureOf({ type: 'environment', category: 'environment', summary: 'no space left on device' });
    startAll(driver);
    const waited: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      driver.fail('a', full);
      const due = nextDue(driver.state) ?? 0;
      waited.push(due - driver.now);
      driver.now = due;
      expect(startAll(driver)).toEqual(['a']);
      expect(subtaskOf(driver.state, 'a').climb.attempts).toBe(1);
    }
    expect(waited).toEqual([5_000, 15_000, 45_000, 135_000, 300_000]);
    driver.fail('a', full);
    expect(status(driver, 'a')).toBe('waiting');
    expect(driver.state.log.records).toHaveLength(1);
  });

  test('starts nothing while paused, stopping, planning, ended, or while a question about the whole task is open', () => {
    const paused = drive([subtask('a')]);
    paused.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    expect(ready(paused)).toEqual([]);
    paused.record({ type: 'task.resumed' });
    expect(ready(paused)).toEqual(['a']);

    const stopping = drive([subtask('a')]);
    stopping.stop('enough');
    expect(ready(stopping)).toEqual([]);

    const asked = drive([subtask('a')]);
    asked.record({ type: 'decision.opened', decision: planQuestionOf() });
    expect(ready(asked)).toEqual([]);

    expect(startable(newState('x', 'g', t0), t0)).toEqual([]);

    const ended = drive([subtask('a')]);
    ended.endCancelled();
    expect(ready(ended)).toEqual([]);
  });
});

describe('nextDue', () => {
  test('does not ring for what is due already and waits for a slot', () => {
    const driver = drive([subtask('a'), subtask('b')], { maxParallelSubtasks: 1 });
    startAll(driver);
    driver.fail('a', failureOf({ type: 'timeout' }));
    startAll(driver);
    driver.now += 60_000;
    expect(ready(driver)).toEqual([]);
    expect(nextDue(driver.state, driver.now)).toBeNull();
  });
});

describe('the branch and the rest', () => {
  test('names dependents and the whole branch in plan order, and counts what can go on', () => {
    const driver = drive([
      subtask('d', { dependsOn: ['b'] }),
      subtask('a'),
      subtask('b', { dependsOn: ['a'] }),
      subtask('x'),
      subtask('y', { dependsOn: ['x'] }),
      subtask('sum', { synthesis: true }),
    ]);
    expect(openDependents(driver.state, 'a')).toEqual(['b']);
    expect(openBranch(driver.state, 'a')).toEqual(['d', 'b']);
    expect(countIndependent(driver.state, 'a')).toBe(2);
    startAll(driver);
    driver.pass('x');
    expect(countIndependent(driver.state, 'a')).toBe(1);
  });

  test('does not count what is held by another open question as going on', () => {
    const driver = drive([subtask('a'), subtask('x'), subtask('y', { dependsOn: ['x'] }), subtask('z')]);
    startAll(driver);
    driver.fail('x', blocked);
    expect(countIndependent(driver.state, 'a')).toBe(1);
  });
});

describe('taskStatus', () => {
  test('is planning before there is a plan, and the end after it', () => {
    expect(taskStatus(newState('x', 'g', t0), t0)).toBe('planning');
    const driver = drive([subtask('a')]);
    expect(stateOfTask(driver)).toBe('running');
    driver.record({ type: 'task.ended', state: 'failed', reason: 'no' });
    expect(stateOfTask(driver)).toBe('failed');
  });

  test('is waiting only when nothing can run without a person', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('c', { dependsOn: ['a'] })]);
    startAll(driver);
    driver.fail('a', blocked);
    expect(stateOfTask(driver)).toBe('running');
    driver.fail('b', failureOf({ type: 'timeout' }));
    expect(stateOfTask(driver)).toBe('running');
    driver.now += 2_000;
    startAll(driver);
    driver.pass('b');
    expect(stateOfTask(driver)).toBe('waiting');
    driver.answer({ decisionId: 'a-1', option: 'retry' });
    expect(stateOfTask(driver)).toBe('running');
  });

  test('is waiting while a question about the whole task holds what would be due', () => {
    const driver = drive([subtask('a')], { budget: { tokens: 10 } });
    startAll(driver);
    driver.fail('a', failureOf({ type: 'timeout' }), { tokens: 10 });
    expect(driver.state.queue.delayed).toEqual(['a']);
    expect(isBusy(driver.state, driver.now)).toBe(false);
    expect(stateOfTask(driver)).toBe('waiting');
  });

  test('is not waiting for anybody while it stops', () => {
    const driver = drive([subtask('a')]);
    startAll(driver);
    driver.fail('a', blocked);
    driver.stop('enough');
    expect(stateOfTask(driver)).toBe('running');
    driver.endCancelled();
    expect(stateOfTask(driver)).toBe('cancelled');
    expect(driver.state.decisions.open).toEqual([]);
  });
});
