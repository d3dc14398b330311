// Counts that the events of a task add to a worker's metrics.
import { describe, expect, test } from 'vitest';
import type { TaskEvent } from '../../../domain/types/events.ts';
import type { AttemptRecord } from '../../../domain/types/attempt-record.ts';
import type { ModelCall } from '../../../domain/llm/model-call.ts';
import { listCounts, countsOfCall } from '../../../domain/views/metric-counts.ts';

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
      'a crash',
      { type: 'attempt.rerun', subtask: 's', attempt: 1, reruns: 1 },
      [['heddle_reruns', 1, { reason: 'crash' }]],
    ],
    ['an end', { type: 'task.ended', state: 'failed', reason: 'r' }, [['heddle_tasks_ended', 1, { state: 'failed' }]]],
    ['a start counts nowhere', { type: 'subtask.started', subtask: 's' }, []],
  ])('%s', (_, event, counts) => {
    expect(listCounts(event).map(({ name, by, tags }) => [name, by, tags])).toEqual(counts);
  });
});

describe('a call of a model', () => {
  const asker = { task: 't', role: 'executor', subtask: 's', attempt: 1, turn: 3 } as const;
  const usage = { input: 100, output: 20, cached: 40, reasoning: 5 };
  const tags = { role: 'executor', model: 'm' };
  const call = (more: Partial<ModelCall>): ModelCall => ({ asker, model: 'm', outcome: 'ok', ms: 5, ...more });

  test.each<[string, ModelCall, [string, number, object][]]>([
    [
      'that was answered: its tokens add up, its cost is in whole millionths of a dollar',
      call({ reply: { usage, costUsd: 0.0000014 } }),
      [
        ['heddle_model_calls', 1, { ...tags, outcome: 'ok' }],
        ['heddle_model_tokens', 60, { ...tags, kind: 'in' }],
        ['heddle_model_tokens', 40, { ...tags, kind: 'cached' }],
        ['heddle_model_tokens', 20, { ...tags, kind: 'out' }],
        ['heddle_model_cost_microusd', 1, tags],
      ],
    ],
    [
      'that was refused for now',
      call({ outcome: 'rate-limited' }),
      [['heddle_model_calls', 1, { ...tags, outcome: 'rate-limited' }]],
    ],
    [
      'of a service that counts more cached tokens than all: no counter falls',
      call({ reply: { usage: { ...usage, cached: 300 }, costUsd: 0 } }),
      [
        ['heddle_model_calls', 1, { ...tags, outcome: 'ok' }],
        ['heddle_model_tokens', 0, { ...tags, kind: 'in' }],
        ['heddle_model_tokens', 300, { ...tags, kind: 'cached' }],
        ['heddle_model_tokens', 20, { ...tags, kind: 'out' }],
        ['heddle_model_cost_microusd', 0, tags],
      ],
    ],
  ])('%s', (_, given, counts) => {
    expect(countsOfCall(given).map(({ name, by, tags: labels }) => [name, by, labels])).toEqual(counts);
  });
});
