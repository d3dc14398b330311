import { describe, expect, test } from 'vitest';
import { dueNext, formatDue } from '../../../domain/schedule/next-due.ts';
import { Driver } from '../attempt/support-driver.ts';
import { failureOf, stateOf, subtask, t0 } from '../support-task.ts';

const minute = 60_000;

describe('what is due next', () => {
  test('is nothing where nothing waits for time', () => {
    expect(dueNext(stateOf([subtask('a')]), t0, null)).toBeNull();
  });

  test('is the end of the budget of time, until that is asked about', () => {
    const driver = new Driver(stateOf([subtask('a')], { budget: { wallClock: minute } }), t0);
    driver.beginAll();
    expect([dueNext(driver.state, t0, null), formatDue(driver.state)]).toEqual([t0 + minute, 'budget of time']);
    driver.now += minute;
    driver.beginAll();
    expect(dueNext(driver.state, driver.now, null)).toBeNull();
  });

  test('is whatever comes first, and never what is past', () => {
    const state = stateOf([subtask('a')], { budget: { wallClock: minute } });
    expect(dueNext(state, t0, t0 + 5)).toBe(t0 + 5);
    expect(dueNext(state, t0 + 5, t0 + 5)).toBe(t0 + minute);
    expect(dueNext(state, t0 + minute, t0 + 5)).toBeNull();
  });

  test('is the wait before an attempt, which names it', () => {
    const driver = new Driver(stateOf([subtask('a')]), t0);
    driver.beginAll();
    driver.fail('a', failureOf({ type: 'environment', category: 'environment' }));
    expect([dueNext(driver.state, t0, null), formatDue(driver.state)]).toEqual([t0 + 5_000, 'wait before a']);
  });

  test('is nothing of the task’s own while it is paused', () => {
    const driver = new Driver(stateOf([subtask('a')], { budget: { wallClock: minute } }), t0);
    driver.record({ type: 'task.paused', reason: 'wait', by: 'person' });
    expect([dueNext(driver.state, t0, null), dueNext(driver.state, t0, t0 + 5)]).toEqual([null, t0 + 5]);
  });
});
