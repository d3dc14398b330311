/* Plans that are well formed and cannot run: empty, tangled, or of a later version. */
import { describe, test } from 'vitest';
import type { BadPlan } from './case.ts';
import { expectRefused, head, inPlan, inSubtask, one } from './case.ts';

const cases: BadPlan[] = [
  ['an empty file', '', 'PLAN_EMPTY 1:1 plan', 'The plan is empty.'],
  ['only comments', '# to do\n\n', 'PLAN_EMPTY 1:1 plan', 'The plan is empty.'],
  ['null', '~\n', 'PLAN_EMPTY 1:1 plan', 'The plan is empty.'],
  ['no subtasks', head, 'PLAN_EMPTY 1:1 subtasks', 'The plan has no subtasks.'],
  ['an empty list of subtasks', `${head}subtasks: []\n`, 'PLAN_EMPTY 3:11 subtasks', 'The plan has no subtasks.'],
  ['subtasks with nothing after it', `${head}subtasks:\n`, 'PLAN_EMPTY 3:10 subtasks', 'The plan has no subtasks.'],
  [
    'a process beside subtasks',
    inPlan('process: release'),
    'PROCESS_WITH_SUBTASKS 4:3 subtasks',
    'A plan with `process` has no `subtasks`: the phases of the process are the plan.',
  ],
  [
    'a duplicate id',
    `${one}  - id: b\n  - id: a\n`,
    'PLAN_DUPLICATE_ID 6:9 subtasks[2].id',
    'The id `a` is already used by `subtasks[0]`.',
  ],
  [
    'an unknown dependency',
    `${head}subtasks:\n  - id: draft\n  - id: b\n    dependsOn: [drfat]\n`,
    'PLAN_UNKNOWN_DEPENDENCY 6:17 subtasks[1].dependsOn[0]',
    '`b` depends on `drfat`, which is not the id of a subtask; did you mean `draft`?',
  ],
  [
    'an unknown dependency like nothing',
    inSubtask('dependsOn: [zebra]'),
    'PLAN_UNKNOWN_DEPENDENCY 5:17 subtasks[0].dependsOn[0]',
    '`a` depends on `zebra`, which is not the id of a subtask.',
  ],
  [
    'a self-dependency',
    inSubtask('dependsOn: [a]'),
    'PLAN_CYCLE 5:17 subtasks[0].dependsOn[0]',
    'The dependencies form a cycle: a -> a.',
  ],
  [
    'a cycle',
    `${head}subtasks:\n  - { id: a, dependsOn: [b] }\n  - { id: b, dependsOn: [c] }\n  - { id: c, dependsOn: [a] }\n`,
    'PLAN_CYCLE 4:26 subtasks[0].dependsOn[0]',
    'The dependencies form a cycle: a -> b -> c -> a.',
  ],
  [
    'a synthesis with dependents',
    `${head}subtasks:\n  - { id: sum, synthesis: true }\n  - { id: b, dependsOn: [sum] }\n`,
    'PLAN_SYNTHESIS_HAS_DEPENDENTS 4:11 subtasks[0].id',
    '`sum` is a synthesis, which runs last, but `b` depends on it.',
  ],
];

describe('a plan that cannot run', () => {
  test.each(cases)('is refused: %s', async (...bad) => {
    await expectRefused(bad);
  });
});
