// What the counters of a worker gain by the events of a task.
import { describe, expect, test } from 'vitest';
import type { TaskEvent } from '../../../domain/model/events.ts';
import type { AttemptRecord } from '../../../domain/model/record.ts';
import { countsOf } from '../../../domain/task/counters.ts';

const record = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...{ subtask: 's', attempt: 1, rung: 1, tier: 1, thinking: false, strategy: 'first', startedAt: '', endedAt: '' },
  ...{ outcome: 'passed', failure: null, notes: '', files: [], verify: [], verdict: null, reruns: 0, waits: [] },
  ...{ used: { costUsd: 0, tokens: 0 }, output: null },
  ...more,
});
const passed = (attempt: number, more: Partial<AttemptRecord> = {}): TaskEvent => ({
  ...{ type: 'attempt.passed', subtask: 's', attempt, record: record(more) },
  result: { status: 'success', ref: { sha256: '', bytes: 0 } },
});

describe('an event', () => {
  test.each<[string, TaskEvent, [string, number, object][]]>([
    ['a first attempt that passed', passed(1), [['heddle_attempts', 1, { outcome: 'passed' }]]],
    [
      'a later one recovered',
      passed(3, { rung: 2 }),
      [
        ['heddle_attempts', 1, { outcome: 'passed' }],
        ['heddle_recoveries', 1, { rung: 2 }],
      ],
    ],
    [
      'models, in whole millionths of a dollar',
      passed(1, { models: [{ model: 'm', calls: 2, tokens: 30, costUsd: 0.0000014 }] }),
      [
        ['heddle_attempts', 1, { outcome: 'passed' }],
        ['heddle_model_calls', 2, { model: 'm' }],
        ['heddle_model_tokens', 30, { model: 'm' }],
        ['heddle_model_cost_microusd', 1, { model: 'm' }],
      ],
    ],
    [
      'a crash',
      { type: 'attempt.rerun', subtask: 's', attempt: 1, reruns: 1 },
      [['heddle_reruns', 1, { reason: 'crash' }]],
    ],
    ['an end', { type: 'task.ended', state: 'failed', reason: 'r' }, [['heddle_tasks_ended', 1, { state: 'failed' }]]],
    ['a start counts nowhere', { type: 'subtask.started', subtask: 's' }, []],
  ])('%s', (_, event, counts) => {
    expect(countsOf(event).map(({ name, by, tags }) => [name, by, tags])).toEqual(counts);
  });
});
