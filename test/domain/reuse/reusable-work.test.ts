/* Which finished work a retry takes over, and why the rest runs. */
import { describe, expect, test } from 'vitest';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { planReuse, type KnownWork, type ReuseQuestion } from '../../../domain/reuse/reusable-work.ts';
import { accepted } from '../plan/plan-sample.ts';

const ref = { sha256: 'a'.repeat(64), bytes: 1 };

function definitions(change: Record<string, object> = {}): Subtask[] {
  const subtasks = [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }, { id: 'c' }, { id: 'all', synthesis: true }];
  return completePlan(
    accepted({
      goal: 'g',
      executor: { kind: 'command', run: ['sh'] },
      subtasks: subtasks.map((subtask) => ({ ...subtask, ...change[subtask.id] })),
    }),
  ).subtasks;
}

const work = (id: string, files: KnownWork['files'] = []): KnownWork => ({
  id,
  verdict: 'pass',
  result: ref,
  files,
  left: { changed: null },
});
const whole = [work('a', [{ path: 'a.txt', sha256: null }]), work('b'), work('c'), work('all')];

function answer(change: Partial<ReuseQuestion> = {}): { reused: string[]; runs: string[] } {
  const { reused, runs } = planReuse({
    before: { goal: 'g', subtasks: definitions(), finished: whole },
    after: { goal: 'g', subtasks: definitions() },
    changedFiles: new Set(),
    ...change,
  });
  for (const each of reused) expect(each).toEqual({ id: each.id, verdict: 'pass', result: ref });
  return { reused: reused.map(({ id }) => id), runs: runs.map(({ id, why }) => `${id}: ${why}`) };
}

describe('finished work', () => {
  test.each([
    [{ changed: 'undeclared.txt' }, 'undeclared.txt has changed since'],
    [{ unknown: true as const }, 'no snapshots show whether its files are as it left them'],
  ])('runs again with all behind it when what it left is %j', (left, why) => {
    const finished = whole.map((each) => (each.id === 'a' ? { ...each, left } : each));
    expect(answer({ before: { goal: 'g', subtasks: definitions(), finished } })).toEqual({
      reused: ['c'],
      runs: [`a: ${why}`, 'b: a runs again', 'all: a subtask that it combines runs again'],
    });
  });

  test('is taken over by its reference alone', () => {
    expect(answer()).toEqual({ reused: ['a', 'b', 'c', 'all'], runs: [] });
  });

  test('runs again with all behind it when a file has changed since', () => {
    expect(answer({ changedFiles: new Set(['a.txt']) })).toEqual({
      reused: ['c'],
      runs: ['a: a.txt has changed since', 'b: a runs again', 'all: a subtask that it combines runs again'],
    });
  });

  test('runs again when its result is not in the store: nothing is known of its files', () => {
    const finished = whole.map((each) => (each.id === 'c' ? work('c', null) : each));
    expect(answer({ before: { goal: 'g', subtasks: definitions(), finished } }).runs).toEqual([
      'c: its result cannot be read from the store of this machine',
      'all: a subtask that it combines runs again',
    ]);
  });

  test('runs again when its definition is not in the store: nobody knows whether it is the same', () => {
    const subtasks = definitions().filter(({ id }) => id !== 'c');
    expect(answer({ before: { goal: 'g', subtasks, finished: whole } }).runs).toContain(
      'c: its earlier definition is not in the store of this machine',
    );
  });

  test('runs again when its definition changed', () => {
    expect(answer({ after: { goal: 'g', subtasks: definitions({ c: { verify: ['true'] } }) } }).runs).toContain(
      'c: its verify has changed',
    );
  });
});
