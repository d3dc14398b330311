// The YAML reader on its own: a value, and where each part of it stands. The refusals are in test/client/plan-file.
import { expect, test } from 'vitest';
import { convertYaml } from '../../../domain/input/convert-yaml.ts';
import { locateProblem } from '../../../domain/input/locate-problem.ts';
import { parseYaml } from '../../../domain/input/parse-yaml.ts';
import type { PlanPath } from '../../../domain/input/problem.ts';

const text = 'goal: g\nsubtasks:\n  - id: a\n    verify: [one, two]\n  - { id: b, tier: 9 }\n';

function read(name: string, content: string) {
  const source = { name, text: content };
  const yaml = parseYaml(source);
  return { converted: convertYaml(source, yaml), positionOf: yaml.positionOf, name };
}

test('YAML, and so JSON, is read as plain values', () => {
  const value = {
    goal: 'g',
    subtasks: [
      { id: 'a', verify: ['one', 'two'] },
      { id: 'b', tier: 9 },
    ],
  };
  expect(read('p', text).converted.value).toEqual(value);
  expect(read('p', JSON.stringify(value)).converted.value).toEqual(value);
});

test.each<[PlanPath, code: 'PLAN_UNKNOWN_KEY' | 'PLAN_WRONG_TYPE', where: string]>([
  [['goal'], 'PLAN_UNKNOWN_KEY', 'p.yaml:1:1 (goal)'],
  [['goal'], 'PLAN_WRONG_TYPE', 'p.yaml:1:7 (goal)'],
  [['subtasks', 0, 'verify', 1], 'PLAN_WRONG_TYPE', 'p.yaml:4:19 (subtasks[0].verify[1])'],
  [['subtasks', 1, 'tier'], 'PLAN_WRONG_TYPE', 'p.yaml:5:20 (subtasks[1].tier)'],
  [['subtasks', 1, 'missing'], 'PLAN_WRONG_TYPE', 'p.yaml:5:5 (subtasks[1].missing)'],
])('the place of %j is found for %s', (path, code, where) => {
  expect(locateProblem({ code, message: 'm', path }, read('p.yaml', text)).where).toBe(where);
});

test('text that is not YAML is refused with its place', () => {
  expect(() => read('answer', 'a: [1')).toThrow(
    expect.objectContaining({ code: 'PLAN_SYNTAX', where: expect.stringMatching(/^answer:\d+:\d+$/) as string }),
  );
});
