/* Settings of the whole plan that are of the wrong kind or out of range. */
import { describe, test } from 'vitest';
import type { BadPlan } from './case.ts';
import { expectRefused, inPlan, one } from './case.ts';

const cases: BadPlan[] = [
  [
    'a string',
    'publish the notes\n',
    'PLAN_WRONG_TYPE 1:1 plan',
    'The plan should be a map with `goal` and `subtasks`; found the string "publish the notes".',
  ],
  [
    'a list',
    '- id: a\n',
    'PLAN_WRONG_TYPE 1:1 plan',
    'The plan should be a map with `goal` and `subtasks`; found a list.',
  ],
  [
    'a number',
    '42\n',
    'PLAN_WRONG_TYPE 1:1 plan',
    'The plan should be a map with `goal` and `subtasks`; found the number 42.',
  ],
  [
    'no goal',
    one.replace('goal: g\n', ''),
    'PLAN_WRONG_TYPE 1:1 goal',
    '`goal` is missing; it should be a string that is not empty.',
  ],
  [
    'an empty goal',
    one.replace('goal: g', 'goal: "  "'),
    'PLAN_WRONG_TYPE 1:7 goal',
    '`goal` should be a string that is not empty; found the string "  ".',
  ],
  [
    'a goal that is a number',
    one.replace('goal: g', 'goal: 7'),
    'PLAN_WRONG_TYPE 1:7 goal',
    '`goal` should be a string that is not empty; found the number 7.',
  ],
  [
    'too many at once',
    inPlan('maxParallelSubtasks: 501'),
    'PLAN_WRONG_TYPE 5:22 maxParallelSubtasks',
    '`maxParallelSubtasks` should be a whole number from 1 to 500; found the number 501.',
  ],
  [
    'a duration with an unknown unit',
    inPlan('budget: { wallClock: 30min }'),
    'PLAN_WRONG_TYPE 5:22 budget.wallClock',
    '`wallClock` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the string "30min".',
  ],
  [
    'a duration of nothing',
    inPlan('budget: { wallClock: 0s }'),
    'PLAN_WRONG_TYPE 5:22 budget.wallClock',
    '`wallClock` should be a duration above 0 and at most 366 days; found the string "0s".',
  ],
  [
    'a negative cost',
    inPlan('budget: { costUsd: -1 }'),
    'PLAN_WRONG_TYPE 5:20 budget.costUsd',
    '`costUsd` should be a number, 0 or more; found the number -1.',
  ],
  [
    'a cost without end',
    inPlan('budget: { costUsd: .inf }'),
    'PLAN_WRONG_TYPE 5:20 budget.costUsd',
    '`costUsd` should be a number, 0 or more; found Infinity.',
  ],
  [
    'tokens that are not a number',
    inPlan('budget: { tokens: .nan }'),
    'PLAN_WRONG_TYPE 5:19 budget.tokens',
    '`tokens` should be a whole number, 0 or more; found NaN.',
  ],
  [
    'more tokens than can be counted',
    inPlan('budget: { tokens: 99999999999999999999 }'),
    'PLAN_WRONG_TYPE 5:19 budget.tokens',
    '`tokens` should be a whole number, 0 or more; found the number 100000000000000000000.',
  ],
  [
    'an unknown approval',
    inPlan('approval: sometimes'),
    'PLAN_WRONG_TYPE 5:11 approval',
    '`approval` should be `off`, `auto`, `manual` or `threshold`, or a map such as `{ mode: threshold, at: 0.7 }`; found the string "sometimes".',
  ],
  [
    'an unknown approval mode',
    inPlan('approval: { mode: sometimes }'),
    'PLAN_WRONG_TYPE 5:19 approval.mode',
    '`mode` should be `off`, `auto`, `manual` or `threshold`; found the string "sometimes".',
  ],
  [
    'a threshold out of range',
    inPlan('approval: { mode: threshold, at: 70 }'),
    'PLAN_WRONG_TYPE 5:34 approval.at',
    '`at` should be a number from 0 to 1; found the number 70.',
  ],
  [
    'an approval that is true',
    inPlan('approval: true'),
    'PLAN_WRONG_TYPE 5:11 approval',
    '`approval` should be `off`, `auto`, `manual` or `threshold`, or a map such as `{ mode: threshold, at: 0.7 }`; found true.',
  ],
  [
    'a rung that gives less output',
    inPlan('ladder: [{ tier: next, output: 0.5 }]'),
    'PLAN_WRONG_TYPE 5:32 ladder[0].output',
    '`output` should be a number from 1 to 10; found the number 0.5.',
  ],
  [
    'an empty ladder',
    inPlan('ladder: []'),
    'PLAN_WRONG_TYPE 5:9 ladder',
    '`ladder` should be a list with at least one rung that is not a person, such as `{ tier: assigned }`; found an empty list.',
  ],
  [
    'a ladder of nobody but a person',
    inPlan('ladder: [{ person: true }]'),
    'PLAN_WRONG_TYPE 5:9 ladder',
    '`ladder` should be a list with at least one rung that is not a person, such as `{ tier: assigned }`; found a list.',
  ],
  [
    'a person before the last rung',
    inPlan('ladder: [{ tier: next }, { person: true }, { tier: highest }]'),
    'PLAN_WRONG_TYPE 5:26 ladder[1]',
    'The rung `{ person: true }` should be the last one of the ladder.',
  ],
  [
    'a person with a tier',
    inPlan('ladder: [{ tier: next }, { person: true, tier: 1 }]'),
    'PLAN_WRONG_TYPE 5:26 ladder[1]',
    'A rung with `person: true` should have no other key.',
  ],
  [
    'a rung without a tier',
    inPlan('ladder: [{ feedback: true }]'),
    'PLAN_WRONG_TYPE 5:10 ladder[0].tier',
    '`tier` is missing; it should be `assigned`, `next`, `highest`, 1, 2 or 3.',
  ],
  [
    'an unknown tier of a rung',
    inPlan('ladder: [{ tier: best }]'),
    'PLAN_WRONG_TYPE 5:18 ladder[0].tier',
    '`tier` should be `assigned`, `next`, `highest`, 1, 2 or 3; found the string "best".',
  ],
  [
    'a retry policy that Temporal refuses',
    inPlan('ladder: [{ tier: next, retry: { initialInterval: 2m, maximumInterval: 1m } }]'),
    'PLAN_WRONG_TYPE 5:31 ladder[0].retry',
    '`maximumInterval` should not be shorter than `initialInterval`.',
  ],
  [
    'a backoff below 1',
    inPlan('ladder: [{ tier: next, retry: { backoff: 0.5 } }]'),
    'PLAN_WRONG_TYPE 5:42 ladder[0].retry.backoff',
    '`backoff` should be a number, 1 or more; found the number 0.5.',
  ],
  [
    'no tries',
    inPlan('recovery: { timeout: { tries: 0 } }'),
    'PLAN_WRONG_TYPE 5:31 recovery.timeout.tries',
    '`tries` should be a whole number from 1 to 100; found the number 0.',
  ],
  [
    'a wait that is no duration',
    inPlan('recovery: { timeout: { wait: 5 } }'),
    'PLAN_WRONG_TYPE 5:30 recovery.timeout.wait',
    '`wait` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the number 5.',
  ],
  [
    'a wait of more than a year',
    inPlan('recovery: { timeout: { wait: 400d } }'),
    'PLAN_WRONG_TYPE 5:30 recovery.timeout.wait',
    '`wait` should be a duration of at most 366 days; found the string "400d".',
  ],
  [
    'a time limit that shrinks',
    inPlan('recovery: { timeout: { timeoutFactor: 0.5 } }'),
    'PLAN_WRONG_TYPE 5:39 recovery.timeout.timeoutFactor',
    '`timeoutFactor` should be a number from 1 to 10; found the number 0.5.',
  ],
  [
    'an empty emphasis',
    inPlan('recovery: { timeout: { emphasis: "" } }'),
    'PLAN_WRONG_TYPE 5:34 recovery.timeout.emphasis',
    '`emphasis` should be a string of at most 400 characters; found an empty string.',
  ],
  [
    'an empty host',
    inPlan('host: ""'),
    'PLAN_WRONG_TYPE 5:7 host',
    '`host` should be the name of a host: 1 to 200 printable characters; found an empty string.',
  ],
];

describe('a wrong setting of the plan', () => {
  test.each(cases)('is refused: %s', async (...bad) => {
    await expectRefused(bad);
  });
});
