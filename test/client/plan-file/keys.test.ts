/* Keys that a plan does not have: named with their place and the nearest valid one. */
import { describe, test } from 'vitest';
import type { BadPlan } from './case.ts';
import { expectRefused, inPlan, inSubtask, one } from './case.ts';

const cases: BadPlan[] = [
  [
    'an unknown key of the plan',
    inPlan('maxParalelSubtasks: 2'),
    'PLAN_UNKNOWN_KEY 5:1 maxParalelSubtasks',
    '`maxParalelSubtasks` is not a key of the plan; did you mean `maxParallelSubtasks`?',
  ],
  [
    'an unknown key of a subtask',
    inSubtask('dependson: []'),
    'PLAN_UNKNOWN_KEY 5:5 subtasks[0].dependson',
    '`dependson` is not a key of a subtask; did you mean `dependsOn`?',
  ],
  [
    'an unknown key of a subtask in another style',
    inSubtask('depends_on: []'),
    'PLAN_UNKNOWN_KEY 5:5 subtasks[0].depends_on',
    '`depends_on` is not a key of a subtask; did you mean `dependsOn`?',
  ],
  [
    'a key of a subtask in the plan',
    inPlan('deliverables: [a.txt]'),
    'PLAN_UNKNOWN_KEY 5:1 deliverables',
    '`deliverables` is not a key of the plan, but of a subtask.',
  ],
  ['a key like nothing', inPlan('colour: red'), 'PLAN_UNKNOWN_KEY 5:1 colour', '`colour` is not a key of the plan.'],
  [
    'a misspelt required key is one problem',
    one.replace('goal', 'gaol'),
    'PLAN_UNKNOWN_KEY 1:1 gaol',
    '`gaol` is not a key of the plan; did you mean `goal`?',
  ],
  [
    'a misspelt id is one problem',
    one.replace('- id', '- Id'),
    'PLAN_UNKNOWN_KEY 4:5 subtasks[0].Id',
    '`Id` is not a key of a subtask; did you mean `id`?',
  ],
  [
    'misspelt subtasks are one problem',
    one.replace('subtasks', 'subtask'),
    'PLAN_UNKNOWN_KEY 3:1 subtask',
    '`subtask` is not a key of the plan; did you mean `subtasks`?',
  ],
  [
    'a misspelt executor of all is one problem',
    one.replace('executor', 'excutor'),
    'PLAN_UNKNOWN_KEY 2:1 excutor',
    '`excutor` is not a key of the plan; did you mean `executor`?',
  ],
  [
    'a misspelt tier of a rung is one problem',
    inSubtask('ladder: [{ teir: next }]'),
    'PLAN_UNKNOWN_KEY 5:16 subtasks[0].ladder[0].teir',
    '`teir` is not a key of a rung; did you mean `tier`?',
  ],
  [
    '__proto__ in the plan',
    inPlan('__proto__: { goal: h }'),
    'PLAN_UNKNOWN_KEY 5:1 __proto__',
    '`__proto__` is not a key of the plan.',
  ],
  [
    '__proto__ in a subtask',
    inSubtask('"__proto__": { id: b }'),
    'PLAN_UNKNOWN_KEY 5:5 subtasks[0].__proto__',
    '`__proto__` is not a key of a subtask.',
  ],
  [
    '__proto__ in recovery',
    inSubtask('recovery: { __proto__: { tries: 2 } }'),
    'PLAN_UNKNOWN_KEY 5:17 subtasks[0].recovery.__proto__',
    '`__proto__` is not a failure type.',
  ],
  [
    'constructor as a key',
    inPlan('constructor: { prototype: 1 }'),
    'PLAN_UNKNOWN_KEY 5:1 constructor',
    '`constructor` is not a key of the plan.',
  ],
  [
    'a merge key',
    inSubtask('<<: { tier: 2 }'),
    'PLAN_UNKNOWN_KEY 5:5 subtasks[0].<<',
    '`<<` is not a key of a subtask.',
  ],
  [
    'an unknown key of the budget',
    inPlan('budget: { cost: 2 }'),
    'PLAN_UNKNOWN_KEY 5:11 budget.cost',
    '`cost` is not a key of `budget`; did you mean `costUsd`?',
  ],
  [
    'an unknown key of a command executor',
    inSubtask('executor: { kind: command, run: [sh], cwd: src }'),
    'PLAN_UNKNOWN_KEY 5:43 subtasks[0].executor.cwd',
    '`cwd` is not a key of a `command` executor.',
  ],
  [
    'an unknown key of an activity executor',
    inSubtask('executor: { kind: activity, name: x, taskqueue: q }'),
    'PLAN_UNKNOWN_KEY 5:42 subtasks[0].executor.taskqueue',
    '`taskqueue` is not a key of an `activity` executor; did you mean `taskQueue`?',
  ],
  [
    'an unknown key of a rule',
    inSubtask('rules: [{ pattern: x, patern: TODO }]'),
    'PLAN_UNKNOWN_KEY 5:27 subtasks[0].rules[0].patern',
    '`patern` is not a key of a rule; did you mean `pattern`?',
  ],
  [
    'an unknown key of a retry policy',
    inSubtask('ladder: [{ tier: next, retry: { maxAttempts: 2 } }]'),
    'PLAN_UNKNOWN_KEY 5:37 subtasks[0].ladder[0].retry.maxAttempts',
    '`maxAttempts` is not a key of `retry`; did you mean `maximumAttempts`?',
  ],
  [
    'an unknown key of approval',
    inPlan('approval: { mode: manual, timout: 1h }'),
    'PLAN_UNKNOWN_KEY 5:27 approval.timout',
    '`timout` is not a key of `approval`; did you mean `timeout`?',
  ],
  [
    'an unknown failure type',
    inPlan('recovery: { timeouts: { tries: 2 } }'),
    'PLAN_UNKNOWN_KEY 5:13 recovery.timeouts',
    '`timeouts` is not a failure type; did you mean `timeout`?',
  ],
  [
    'an unknown key of a recovery override',
    inSubtask('recovery: { timeout: { retries: 2 } }'),
    'PLAN_UNKNOWN_KEY 5:28 subtasks[0].recovery.timeout.retries',
    '`retries` is not a key of a recovery override; did you mean `tries`?',
  ],
  [
    'a key of `voting`',
    inPlan('voting: { voter: 3 }'),
    'PLAN_UNKNOWN_KEY 5:11 voting.voter',
    '`voter` is not a key of `voting`; did you mean `voters`?',
  ],
  [
    'another unknown key of a recovery override',
    inPlan('recovery: { timeout: { timeoutfactor: 2 } }'),
    'PLAN_UNKNOWN_KEY 5:24 recovery.timeout.timeoutfactor',
    '`timeoutfactor` is not a key of a recovery override; did you mean `timeoutFactor`?',
  ],
];

describe('an unknown key', () => {
  test.each(cases)('is refused: %s', async (...bad) => {
    await expectRefused(bad);
  });
});
