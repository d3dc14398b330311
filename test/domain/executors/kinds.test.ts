/* The registry of executor kinds: what every kind owes to plan, config, preflight and workflow. */
import { describe, expect, it } from 'vitest';
import { flagLayer } from '../../../domain/config/flags.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { callOf, executorKinds, needsOf, worksInWorkspace } from '../../../domain/executors/kinds.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import type { Executor } from '../../../domain/model/subtask.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { accepted, problemsOf } from '../plan/plan-sample.ts';

function executorOf(executor: unknown): Executor {
  const [subtask] = completePlan(accepted({ goal: 'g', subtasks: [{ id: 'a', executor }] })).subtasks;
  if (subtask === undefined) throw new Error('no subtask');
  return subtask.executor;
}

const fromConfig = (...flags: string[]) => resolveConfig({ below: [], above: [flagLayer(flags)] }).executors['mine'];

describe('every kind', () => {
  it('shares the schema of a key that another kind has too: a config is checked before its kind is known', () => {
    const seen = new Map<string, unknown>();
    for (const { schema } of Object.values(executorKinds)) {
      for (const [key, value] of Object.entries<unknown>(schema.shape)) {
        if (key === 'kind') continue;
        expect(seen.get(key) ?? value, key).toBe(value);
        seen.set(key, value);
      }
    }
  });

  it('is chosen by its name', () => {
    for (const [name, { schema }] of Object.entries(executorKinds)) {
      expect(schema.shape.kind.value).toBe(name);
    }
  });
});

describe('a command', () => {
  const executor = executorOf({ kind: 'command', run: ['make', 'all'], env: ['TOKEN', 'PROXY?'] });

  it('needs its program and the variables that may not be missing', () => {
    expect(needsOf(executor)).toEqual({
      programs: [{ name: 'make', key: 'run' }],
      variables: [{ name: 'TOKEN', key: 'env' }],
    });
  });

  it('tells the workflow its time limit and nothing of what it runs', () => {
    expect(callOf(executor)).toEqual({ kind: 'command', timeout: 30 * 60_000 });
    expect(worksInWorkspace(executor)).toBe(true);
  });
});

describe('an activity', () => {
  const written = { kind: 'activity', name: 'review', taskQueue: 'ours', heartbeat: '30s' };

  it('takes a heartbeat, which the workflow is told', () => {
    const executor = executorOf(written);
    expect(callOf(executor)).toEqual({ ...written, heartbeat: 30_000, timeout: 30 * 60_000 });
    expect(needsOf(executor)).toEqual({ programs: [], variables: [] });
    expect(worksInWorkspace(executor)).toBe(false);
  });

  it('takes a heartbeat in the config too', () => {
    expect(
      fromConfig(
        'executors.mine.kind=activity',
        'executors.mine.name=review',
        'executors.mine.taskQueue=ours',
        'executors.mine.heartbeat=5s',
      ),
    ).toEqual({ kind: 'activity', name: 'review', taskQueue: 'ours', heartbeat: 5_000 });
  });

  it('without its queue is not whole', () => {
    try {
      fromConfig('executors.mine.kind=activity', 'executors.mine.name=review');
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error;
      expect(error.toJSON()).toMatchObject({
        code: 'CONFIG_EXECUTOR_UNFINISHED',
        message: '`taskQueue` of the executor `mine` is missing.',
        hint: 'Add `taskQueue`.',
      });
      return;
    }
    throw new Error('it was accepted');
  });

  it('has no program', () => {
    expect(() =>
      fromConfig(
        'executors.mine.kind=activity',
        'executors.mine.name=review',
        'executors.mine.taskQueue=ours',
        'executors.mine.run=["sh"]',
      ),
    ).toThrow('`run` of the executor `mine` is not a key of an executor of the kind `activity`.');
  });

  it('with a heartbeat that is no duration is refused at its place', () => {
    expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor: { ...written, heartbeat: 30 } }] })).toMatchObject([
      { code: 'PLAN_WRONG_TYPE', where: 'subtasks[0].executor.heartbeat' },
    ]);
  });
});

it('an agent is known by name and refused in its own words', () => {
  const executor = { kind: 'agent', model: 'small', tools: ['shell'], iterations: 20, timeout: '20m' };
  expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor }] })).toMatchObject([
    { code: 'PLAN_NOT_SUPPORTED', where: 'subtasks[0].executor' },
  ]);
});

it('a key of another kind is sent to that kind', () => {
  const executor = { kind: 'command', run: ['sh'], taskQueue: 'q', heartbeat: '3s' };
  expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor }] }).map(({ message }) => message)).toEqual([
    '`taskQueue` is not a key of a `command` executor, but of an `activity` executor.',
    '`heartbeat` is not a key of a `command` executor, but of an `activity` executor.',
  ]);
});
