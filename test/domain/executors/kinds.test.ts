/* The registry of executor kinds: what every kind owes to plan, config, preflight and workflow. */
import { describe, expect, test } from 'vitest';
import { flagLayer } from '../../../domain/config/flags.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { toolNames } from '../../../domain/executors/agent.ts';
import { buildCall, executorKinds, listNeeds, worksInWorkspace } from '../../../domain/executors/kinds.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Executor } from '../../../domain/types/subtask.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { accepted, problemsOf } from '../plan/plan-sample.ts';

function executorOf(executor: unknown): Executor {
  const [subtask] = completePlan(accepted({ goal: 'g', subtasks: [{ id: 'a', executor }] })).subtasks;
  if (subtask === undefined) throw new Error('no subtask');
  return subtask.executor;
}

const fromConfig = (...flags: string[]) => resolveConfig({ below: [], above: [flagLayer(flags)] }).executors['mine'];

describe('every kind', () => {
  test('shares the schema of a key with other kinds, because a config is checked before its kind is known', () => {
    const seen = new Map<string, unknown>();
    for (const { schema } of Object.values(executorKinds)) {
      for (const [key, value] of Object.entries<unknown>(schema.shape)) {
        if (key === 'kind') continue;
        expect(seen.get(key) ?? value, key).toBe(value);
        seen.set(key, value);
      }
    }
  });

  test('is chosen by its name', () => {
    for (const [name, { schema }] of Object.entries(executorKinds)) {
      expect(schema.shape.kind.value).toBe(name);
    }
  });
});

describe('a command', () => {
  const executor = executorOf({ kind: 'command', run: ['make', 'all'], env: ['TOKEN', 'PROXY?'] });

  test('needs its program and the variables that may not be missing', () => {
    expect(listNeeds(executor)).toEqual({
      programs: [{ name: 'make', key: 'run' }],
      variables: [{ name: 'TOKEN', key: 'env' }],
      models: [],
    });
  });

  test('gives the workflow its time limit and nothing of its command', () => {
    expect(buildCall(executor)).toEqual({ kind: 'command', timeout: 30 * 60_000 });
    expect(worksInWorkspace(executor)).toBe(true);
  });
});

describe('an activity', () => {
  const written = { kind: 'activity', name: 'review', taskQueue: 'ours', heartbeat: '30s' };

  test('takes a heartbeat, which the workflow gets', () => {
    const executor = executorOf(written);
    expect(buildCall(executor)).toEqual({ ...written, heartbeat: 30_000, timeout: 30 * 60_000 });
    expect(listNeeds(executor)).toEqual({ programs: [], variables: [], models: [] });
    expect(worksInWorkspace(executor)).toBe(false);
  });

  test('takes a heartbeat in the config too', () => {
    expect(
      fromConfig(
        'executors.mine.kind=activity',
        'executors.mine.name=review',
        'executors.mine.taskQueue=ours',
        'executors.mine.heartbeat=5s',
      ),
    ).toEqual({ kind: 'activity', name: 'review', taskQueue: 'ours', heartbeat: 5_000 });
  });

  test('without its queue is incomplete', () => {
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

  test('has no program', () => {
    expect(() =>
      fromConfig(
        'executors.mine.kind=activity',
        'executors.mine.name=review',
        'executors.mine.taskQueue=ours',
        'executors.mine.run=["sh"]',
      ),
    ).toThrow('`run` of the executor `mine` is not a key of an executor of the kind `activity`.');
  });

  test('with a heartbeat that is not a duration is refused at its place', () => {
    expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor: { ...written, heartbeat: 30 } }] })).toMatchObject([
      { code: 'PLAN_WRONG_TYPE', where: 'subtasks[0].executor.heartbeat' },
    ]);
  });
});

describe('an agent', () => {
  test('has every tool, 20 calls and 20 minutes by default', () => {
    expect(executorOf({ kind: 'agent' })).toEqual({
      kind: 'agent',
      tools: [...toolNames],
      iterations: 20,
      timeout: 20 * 60_000,
    });
    const given = { kind: 'agent', model: 'small', tools: ['note', 'read_file'], iterations: 5, timeout: '1m' };
    expect(executorOf(given)).toEqual({
      ...given,
      tools: ['read_file', 'note', 'finish'],
      foreign: [],
      timeout: 60_000,
    });
  });

  test('needs a model that executes, or the one that it names', () => {
    expect(listNeeds(executorOf({ kind: 'agent' })).models).toEqual([{ role: 'executor', key: 'kind' }]);
    expect(listNeeds(executorOf({ kind: 'agent', model: 'small' })).models).toEqual([
      { role: 'executor', name: 'small', key: 'model' },
    ]);
  });

  test('gives the workflow its time limit, and works in the workspace', () => {
    const executor = executorOf({ kind: 'agent', model: 'small', timeout: '1m' });
    expect(buildCall(executor)).toEqual({ kind: 'agent', timeout: 60_000, spends: true });
    expect(worksInWorkspace(executor)).toBe(true);
  });

  const words: [what: string, flags: string[], expected: object][] = [
    ['by its name alone', [], { kind: 'agent' }],
    ['with what the config changes', ['executors.agent.model=small'], { kind: 'agent', model: 'small' }],
    ['as the user has it', ['executors.agent={ kind = "command", run = ["a"] }'], { kind: 'command', run: ['a'] }],
  ];
  test.each(words)('is recognised %s', (_, flags, expected) => {
    expect(resolveConfig({ below: [], above: [flagLayer(flags)] }).executors['agent']).toEqual(expected);
    expect(problemsOf({ goal: 'g', executor: 'agent', subtasks: [{ id: 'a' }] })).toEqual([]);
  });

  test('takes its keys in an executor of the config', () => {
    expect(fromConfig('executors.mine={ kind = "agent", tools = ["note"], iterations = 3, timeout = "5s" }')).toEqual({
      kind: 'agent',
      tools: ['note'],
      iterations: 3,
      timeout: 5_000,
    });
  });

  test('with an unknown tool, or too many calls, is refused at its place', () => {
    const executor = { kind: 'agent', tools: ['note', 'fly'], iterations: 0, modle: 'm' };
    expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor }] })).toMatchObject([
      { code: 'PLAN_WRONG_TYPE', where: 'subtasks[0].executor.iterations' },
      {
        code: 'PLAN_UNKNOWN_KEY',
        message: '`modle` is not a key of an `agent` executor; did you mean `model`?',
      },
      { code: 'PLAN_WRONG_TYPE', where: 'subtasks[0].executor.tools[1]', message: 'There is no tool `fly`.' },
    ]);
  });
});

test('a key of another kind is attributed to that kind', () => {
  const executor = { kind: 'command', run: ['sh'], taskQueue: 'q', heartbeat: '3s' };
  expect(problemsOf({ goal: 'g', subtasks: [{ id: 'a', executor }] }).map(({ message }) => message)).toEqual([
    '`taskQueue` is not a key of a `command` executor, but of an `activity` executor.',
    '`heartbeat` is not a key of a `command` executor, but of an `activity` executor.',
  ]);
});
