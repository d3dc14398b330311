/* The graph of a plan: which problems are found, in which order, and how they are named. */
import { describe, expect, test } from 'vitest';
import { planLimits } from '../../../domain/input/limits.ts';
import type { TopologySubtask } from '../../../domain/plan/topology.ts';
import { checkTopology } from '../../../domain/plan/topology.ts';

const node = (id: string, dependsOn: string[] = [], synthesis = false): TopologySubtask => ({
  id,
  dependsOn,
  synthesis,
});
const messages = (...subtasks: TopologySubtask[]): string[] => checkTopology(subtasks).map(({ message }) => message);
const places = (...subtasks: TopologySubtask[]): string[] =>
  checkTopology(subtasks).map(({ code, where }) => `${code} ${where ?? ''}`);

describe('a plan', () => {
  test('without subtasks is empty', () => {
    expect(messages()).toEqual(['The plan has no subtasks.']);
  });

  test('without cycles has no problem', () => {
    expect(messages(node('d', ['b', 'c']), node('b', ['a']), node('c', ['a', 'a']), node('a'))).toEqual([]);
  });

  test('may end in one or several syntheses', () => {
    expect(messages(node('a'), node('s', ['a'], true), node('t', [], true))).toEqual([]);
  });

  test('has all its problems listed, in the order of the checks', () => {
    const subtasks = [
      node('s', ['s2'], true),
      node('a', ['b', 'nobody']),
      node('b', ['a', 's']),
      node('a'),
      node('s2', [], true),
    ];
    expect(places(...subtasks)).toEqual([
      'PLAN_DUPLICATE_ID subtasks[3].id',
      'PLAN_UNKNOWN_DEPENDENCY subtasks[1].dependsOn[1]',
      'PLAN_CYCLE subtasks[1].dependsOn[0]',
      'PLAN_SYNTHESIS_HAS_DEPENDENTS subtasks[0].id',
      'PLAN_SYNTHESIS_HAS_DEPENDENTS subtasks[4].id',
    ]);
  });
});

describe('a duplicate id', () => {
  test('is a problem of each later subtask, and makes no cycle with the first', () => {
    expect(places(node('a'), node('b', ['a']), node('a', ['b']), node('a'))).toEqual([
      'PLAN_DUPLICATE_ID subtasks[2].id',
      'PLAN_DUPLICATE_ID subtasks[3].id',
    ]);
    expect(messages(node('a'), node('a'))).toEqual(['The id `a` is already used by `subtasks[0]`.']);
  });
});

describe('an unknown dependency', () => {
  test('is named once for each subtask, with the nearest id', () => {
    expect(
      messages(node('deploy-site'), node('x', ['deploy_site', 'deploy_site']), node('y', ['deplyo-site'])),
    ).toEqual([
      '`x` depends on `deploy_site`, which is not the id of a subtask; did you mean `deploy-site`?',
      '`y` depends on `deplyo-site`, which is not the id of a subtask; did you mean `deploy-site`?',
    ]);
  });

  test('is not reported while an unreadable id could be the right one', () => {
    expect(messages({ id: undefined, dependsOn: [], synthesis: false }, node('x', ['y']))).toEqual([]);
  });
});

describe('a cycle', () => {
  test('is named as a path that begins with its first subtask', () => {
    expect(messages(node('start', ['c']), node('a', ['b']), node('b', ['c']), node('c', ['a']))).toEqual([
      'The dependencies form a cycle: a -> b -> c -> a.',
    ]);
  });

  test('may be a subtask that depends on itself', () => {
    expect(messages(node('a', ['a', 'a']))).toEqual(['The dependencies form a cycle: a -> a.']);
    expect(places(node('a', ['a'], true))).toEqual(['PLAN_CYCLE subtasks[0].dependsOn[0]']);
  });

  test('is named once, also among several', () => {
    expect(
      messages(node('a', ['b', 'c']), node('b', ['a']), node('c', ['a']), node('d', ['e']), node('e', ['d'])),
    ).toEqual([
      'The dependencies form a cycle: a -> b -> a.',
      'The dependencies form a cycle: a -> c -> a.',
      'The dependencies form a cycle: d -> e -> d.',
    ]);
  });

  test('points at the dependency that begins it', () => {
    expect(places(node('x'), node('b', ['x', 'c']), node('c', ['b']))).toEqual(['PLAN_CYCLE subtasks[1].dependsOn[1]']);
  });

  test('of 2,000 subtasks is found, with its middle omitted', () => {
    const ring = Array.from({ length: 2_000 }, (_, index) => node(`s${index}`, [`s${(index + 1) % 2_000}`]));
    const [message = '', ...others] = messages(...ring);
    expect(others).toEqual([]);
    expect(message).toMatch(/^The dependencies form a cycle: s0 -> s1 -> .* -> \(1981 more\) -> .* -> s1999 -> s0\.$/);
    expect(message.split(' -> ')).toHaveLength(planLimits.cycleNames + 1);
  });

  test('in a graph full of cycles ends at the limit of problems', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `s${index}`);
    const problems = checkTopology(ids.map((id) => node(id, ids)));
    expect(problems).toHaveLength(planLimits.problems);
  });
});

describe('a chain of 2,000 subtasks', () => {
  test('has no problem in either direction', () => {
    const forward = Array.from({ length: 2_000 }, (_, index) =>
      node(`s${index}`, index === 0 ? [] : [`s${index - 1}`]),
    );
    expect(messages(...forward)).toEqual([]);
    expect(messages(...forward.toReversed())).toEqual([]);
  });
});

describe('a synthesis with dependents', () => {
  test('is one problem that names them all', () => {
    expect(messages(node('sum', [], true), node('b', ['sum']), node('c', ['sum', 'sum']))).toEqual([
      '`sum` is a synthesis, which runs last, but `b` and `c` depend on it.',
    ]);
  });

  test('is a problem also when a synthesis depends on it', () => {
    expect(messages(node('sum', [], true), node('all', ['sum'], true))).toEqual([
      '`sum` is a synthesis, which runs last, but `all` depends on it.',
    ]);
  });
});
