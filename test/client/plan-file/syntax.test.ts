/* Texts that are no plan: each is refused with its line and column. */
import { describe, test } from 'vitest';
import type { BadPlan } from './case.ts';
import { expectRefused, head, inPlan, inSubtask, one } from './case.ts';

const cases: BadPlan[] = [
  ['a tab as indentation', 'goal: g\n\texecutor: x\n', 'PLAN_SYNTAX 2:1', 'A tab cannot indent a line in YAML.'],
  ['an unclosed quote', 'goal: "g\n', 'PLAN_SYNTAX 2:1', 'This is not valid YAML or JSON: Missing closing "quote.'],
  [
    'an unclosed bracket',
    `${head}subtasks: [{ id: a }\n`,
    'PLAN_SYNTAX 4:1',
    'This is not valid YAML or JSON: Flow sequence in block collection must be sufficiently indented and end with a ].',
  ],
  ['an unquoted colon', 'goal: fix: the build\n', 'PLAN_SYNTAX 1:7', 'A value with `: ` in it should be in quotes.'],
  [
    'JSON without a colon',
    '{\n  "goal" "g"\n}\n',
    'PLAN_SYNTAX 2:10',
    'This is not valid YAML or JSON: Missing , or : between flow map items.',
  ],
  [
    'JSON without a comma',
    '{\n  "goal": "g"\n  "subtasks": []\n}\n',
    'PLAN_SYNTAX 3:3',
    'This is not valid YAML or JSON: Missing , between flow map items.',
  ],
  [
    'JSON with a key given twice',
    '{\n  "goal": "g",\n  "goal": "h"\n}\n',
    'PLAN_SYNTAX 3:3',
    'The key `goal` is given twice; the first is in line 2.',
  ],
  ['a key given twice', inSubtask('id: b'), 'PLAN_SYNTAX 5:5', 'The key `id` is given twice; the first is in line 4.'],
  ['two documents', `${one}---\n${one}`, 'PLAN_SYNTAX 5:1', 'The file contains more than one document; a plan is one.'],
  ['a custom tag', inSubtask('role: !env WRITER'), 'PLAN_SYNTAX 5:11', 'A plan must not have tags (`!name`).'],
  [
    'a known tag that is not JSON',
    inSubtask('role: !!binary aGk='),
    'PLAN_SYNTAX 5:11',
    'A plan must not have tags (`!name`).',
  ],
  [
    'an alias without an anchor',
    inSubtask('rules: [{ pattern: x, in: [*.md] }]'),
    'PLAN_SYNTAX 5:32',
    'There is no anchor `.md` before this alias.',
  ],
  [
    'an anchor that contains itself',
    inSubtask('verify: &v [*v]'),
    'PLAN_SYNTAX 5:17',
    'The anchor `v` contains itself.',
  ],
  ['a key that is a list', inPlan('? [a]\n: b'), 'PLAN_SYNTAX 5:3', 'A key should be a string.'],
  [
    'a control character',
    inSubtask('role: "\u0007"'),
    'PLAN_SYNTAX 5:12',
    'The plan contains the control character U+0007.',
  ],
];

describe('a text that is not YAML or JSON', () => {
  test.each(cases)('is refused: %s', async (...bad) => {
    await expectRefused(bad);
  });
});
