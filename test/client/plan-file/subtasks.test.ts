/* Values of subtasks that are of the wrong kind or out of range: what was expected, what was found, and where. */
import { describe, test } from 'vitest';
import type { BadPlan } from './case.ts';
import { expectRefused, head, inSubtask } from './case.ts';

const cases: BadPlan[] = [
  [
    'subtasks that are a map',
    `${head}subtasks: { id: a }\n`,
    'PLAN_WRONG_TYPE 3:11 subtasks',
    '`subtasks` should be a list of subtasks; found a map.',
  ],
  [
    'a subtask that is a text',
    `${head}subtasks:\n  - a\n`,
    'PLAN_WRONG_TYPE 4:5 subtasks[0]',
    '`subtasks[0]` should be a map with `id` and what the subtask does; found the string "a".',
  ],
  [
    'a subtask without id',
    `${head}subtasks:\n  - description: d\n`,
    'PLAN_WRONG_TYPE 4:5 subtasks[0].id',
    '`id` is missing; it should be an id: letters, digits, `.`, `_` or `-`, at most 64 of them, with at least one letter or digit.',
  ],
  [
    'an id with a space',
    `${head}subtasks:\n  - id: a b\n`,
    'PLAN_WRONG_TYPE 4:9 subtasks[0].id',
    '`id` should be an id: letters, digits, `.`, `_` or `-`, at most 64 of them, with at least one letter or digit; found the string "a b".',
  ],
  [
    'an id of dots',
    `${head}subtasks:\n  - id: ..\n`,
    'PLAN_WRONG_TYPE 4:9 subtasks[0].id',
    '`id` should be an id: letters, digits, `.`, `_` or `-`, at most 64 of them, with at least one letter or digit; found the string "..".',
  ],
  [
    'an id that is a number',
    `${head}subtasks:\n  - id: 1\n`,
    'PLAN_WRONG_TYPE 4:9 subtasks[0].id',
    '`id` should be an id: letters, digits, `.`, `_` or `-`, at most 64 of them, with at least one letter or digit; found the number 1.',
  ],
  [
    'an id that is too long',
    `${head}subtasks:\n  - id: ${'x'.repeat(65)}\n`,
    'PLAN_WRONG_TYPE 4:9 subtasks[0].id',
    '`id` should be an id: letters, digits, `.`, `_` or `-`, at most 64 of them, with at least one letter or digit; found the string "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…".',
  ],
  [
    'no executor anywhere',
    'goal: g\nsubtasks:\n  - id: a\n',
    'PLAN_WRONG_TYPE 3:5 subtasks[0].executor',
    '`executor` is missing, and the plan has no default for it.',
  ],
  [
    'an executor without kind',
    inSubtask('executor: { run: [sh] }'),
    'PLAN_WRONG_TYPE 5:15 subtasks[0].executor.kind',
    '`kind` is missing; it should be `command`, `activity` or `agent`.',
  ],
  [
    'an executor of an unknown kind',
    inSubtask('executor: { kind: shell, run: [sh] }'),
    'PLAN_WRONG_TYPE 5:23 subtasks[0].executor.kind',
    '`kind` should be `command`, `activity` or `agent`; found the string "shell".',
  ],
  [
    'an executor that is a text',
    inSubtask('executor: make'),
    'PLAN_UNKNOWN_EXECUTOR 5:15 subtasks[0].executor',
    'There is no executor `make` in the config.',
  ],
  [
    'run as a text',
    inSubtask('executor: { kind: command, run: "make all" }'),
    'PLAN_WRONG_TYPE 5:37 subtasks[0].executor.run',
    '`run` should be a list of the program and its arguments, such as `["sh", "-c", "make"]`; found the string "make all".',
  ],
  [
    'run without a program',
    inSubtask('executor: { kind: command, run: [] }'),
    'PLAN_WRONG_TYPE 5:37 subtasks[0].executor.run',
    '`run` should be a list of the program and its arguments, such as `["sh", "-c", "make"]`; found an empty list.',
  ],
  [
    'run with a blank program',
    inSubtask('executor: { kind: command, run: [" "] }'),
    'PLAN_WRONG_TYPE 5:37 subtasks[0].executor.run',
    '`run` should be a list of the program and its arguments, such as `["sh", "-c", "make"]`; found a list.',
  ],
  [
    'an argument that is a number',
    inSubtask('executor: { kind: command, run: [sleep, 5] }'),
    'PLAN_WRONG_TYPE 5:45 subtasks[0].executor.run[1]',
    '`run[1]` should be a string; found the number 5.',
  ],
  [
    'an unknown way to give the prompt',
    inSubtask('executor: { kind: command, run: [sh], prompt: args }'),
    'PLAN_WRONG_TYPE 5:51 subtasks[0].executor.prompt',
    '`prompt` should be `stdin`, `argument` or `file`; found the string "args".',
  ],
  [
    'a secret in env',
    inSubtask('executor: { kind: command, run: [sh], env: ["TOKEN=hunter2"] }'),
    'PLAN_WRONG_TYPE 5:49 subtasks[0].executor.env[0]',
    'Each entry of `env` should be the name of an environment variable, such as `GH_TOKEN`, without its value.',
  ],
  [
    'env as a text',
    inSubtask('executor: { kind: command, run: [sh], env: "TOKEN=hunter2" }'),
    'PLAN_WRONG_TYPE 5:48 subtasks[0].executor.env',
    '`env` should be a list of names of environment variables; found a string.',
  ],
  [
    'an activity without a task queue',
    inSubtask('executor: { kind: activity, name: x }'),
    'PLAN_WRONG_TYPE 5:15 subtasks[0].executor.taskQueue',
    '`taskQueue` is missing; it should be the name of a task queue: 1 to 200 printable characters.',
  ],
  [
    'a tier in quotes',
    inSubtask('tier: "1"'),
    'PLAN_WRONG_TYPE 5:11 subtasks[0].tier',
    '`tier` should be 1, 2 or 3; found the string "1".',
  ],
  [
    'a tier out of range',
    inSubtask('tier: 4'),
    'PLAN_WRONG_TYPE 5:11 subtasks[0].tier',
    '`tier` should be 1, 2 or 3; found the number 4.',
  ],
  [
    'a verify command that YAML reads as true',
    inSubtask('verify: [true]'),
    'PLAN_WRONG_TYPE 5:14 subtasks[0].verify[0]',
    '`verify[0]` should be a shell command, or a map such as `{ name: "the tests pass", run: "npm test" }`; found true.',
  ],
  [
    'an empty verify command',
    inSubtask('verify: [""]'),
    'PLAN_WRONG_TYPE 5:14 subtasks[0].verify[0]',
    '`verify[0]` should be a shell command; found an empty string.',
  ],
  [
    'verify as a text',
    inSubtask('verify: make test'),
    'PLAN_WRONG_TYPE 5:13 subtasks[0].verify',
    '`verify` should be a list of shell commands; found the string "make test".',
  ],
  [
    'a list with nothing after it',
    inSubtask('deliverables:'),
    'PLAN_WRONG_TYPE 5:18 subtasks[0].deliverables',
    '`deliverables` should be a list of paths; found nothing.',
  ],
  [
    'a flag that is a text',
    inSubtask('critical: "true"'),
    'PLAN_WRONG_TYPE 5:15 subtasks[0].critical',
    '`critical` should be `true` or `false`; found the string "true".',
  ],
  [
    'a pattern that does not compile',
    inSubtask('rules: [{ pattern: "(" }]'),
    'PLAN_WRONG_TYPE 5:24 subtasks[0].rules[0].pattern',
    '`pattern` should be a regular expression; this one does not compile: Unterminated group.',
  ],
  [
    'a rule without a pattern',
    inSubtask('rules: [{ must: absent }]'),
    'PLAN_WRONG_TYPE 5:13 subtasks[0].rules[0].pattern',
    '`pattern` is missing; it should be a regular expression.',
  ],
  [
    'a file pattern that leads outside',
    inSubtask('rules: [{ pattern: x, in: ["../*.md"] }]'),
    'PLAN_PATH_OUTSIDE 5:32 subtasks[0].rules[0].in[0]',
    '`../*.md` leads outside the workspace.',
  ],
  [
    'an absolute deliverable',
    inSubtask('deliverables: [/etc/passwd]'),
    'PLAN_PATH_OUTSIDE 5:20 subtasks[0].deliverables[0]',
    '`/etc/passwd` leads outside the workspace.',
  ],
  [
    'a deliverable that leads outside',
    inSubtask('deliverables: [a/../../b]'),
    'PLAN_PATH_OUTSIDE 5:20 subtasks[0].deliverables[0]',
    '`a/../../b` leads outside the workspace.',
  ],
  [
    'a deliverable at home',
    inSubtask('deliverables: [~/notes.md]'),
    'PLAN_PATH_OUTSIDE 5:20 subtasks[0].deliverables[0]',
    '`~/notes.md` leads outside the workspace.',
  ],
  [
    'a deliverable that is the workspace',
    inSubtask('deliverables: [./]'),
    'PLAN_WRONG_TYPE 5:20 subtasks[0].deliverables[0]',
    '`deliverables[0]` should be a path inside the workspace, not the workspace itself; found the string "./".',
  ],
  [
    'too many attempts',
    inSubtask('maxAttempts: 101'),
    'PLAN_WRONG_TYPE 5:18 subtasks[0].maxAttempts',
    '`maxAttempts` should be a whole number from 1 to 100; found the number 101.',
  ],
  [
    'no attempts',
    inSubtask('maxAttempts: 0'),
    'PLAN_WRONG_TYPE 5:18 subtasks[0].maxAttempts',
    '`maxAttempts` should be a whole number from 1 to 100; found the number 0.',
  ],
  [
    'half an attempt',
    inSubtask('maxAttempts: 1.5'),
    'PLAN_WRONG_TYPE 5:18 subtasks[0].maxAttempts',
    '`maxAttempts` should be a whole number from 1 to 100; found the number 1.5.',
  ],
  [
    'a duration without a unit',
    inSubtask('executor: { kind: command, run: [sh], timeout: 10 }'),
    'PLAN_WRONG_TYPE 5:52 subtasks[0].executor.timeout',
    '`timeout` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the number 10.',
  ],
  [
    'a time limit longer than a timer can be',
    inSubtask('executor: { kind: command, run: [sh], timeout: 30d }'),
    'PLAN_WRONG_TYPE 5:52 subtasks[0].executor.timeout',
    '`timeout` should be a duration above 0 and at most 20 days; found the string "30d".',
  ],
  [
    'an unknown contract check',
    inSubtask('contractCheck: strict'),
    'PLAN_WRONG_TYPE 5:20 subtasks[0].contractCheck',
    '`contractCheck` should be `off`, `warn` or `enforce`; found the string "strict".',
  ],
  [
    'an unknown verification',
    inSubtask('verification: 4'),
    'PLAN_WRONG_TYPE 5:19 subtasks[0].verification',
    '`verification` should be 1, 2 or 3; found the number 4.',
  ],
];

describe('a wrong value in a subtask', () => {
  test.each(cases)('is refused: %s', async (...bad) => {
    await expectRefused(bad);
  });
});
