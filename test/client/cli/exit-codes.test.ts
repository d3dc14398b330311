// The table of exit codes that scripts rely on.
import { expect, test } from 'vitest';
import { exitOf } from '../../../client/cli/exit-codes.ts';

const table: [exit: number, codes: string[]][] = [
  [1, ['WORKSPACE_BUSY', 'SERVICE_BUSY', 'TASK_FAILED', 'TASK_CANCELLED', 'STORE_DAMAGED', 'INTERNAL', 'SOMETHING']],
  [
    2,
    [
      'USAGE',
      'PLAN_SYNTAX',
      'PLAN_CYCLE',
      'PLAN_INVALID',
      'PLAN_NOT_FOUND',
      'PREFLIGHT_FAILED',
      'PROGRAM_NOT_FOUND',
      'VARIABLE_NOT_SET',
      'WORKSPACE_NOT_FOUND',
      'MESSAGE_INVALID',
      'DECISION_UNKNOWN_OPTION',
      'DECISION_NEEDS_INSTRUCTION',
      'TASK_EXISTS',
      'TASK_ID_INVALID',
      'CONFIG_UNKNOWN_KEY',
      'CONFIG_WRONG_TYPE',
      'TEMPORAL_CONFIG_INVALID',
    ],
  ],
  [3, ['PERSON_NEEDED']],
  [4, ['TASK_NOT_FOUND', 'TASK_ENDED', 'DECISION_NOT_FOUND', 'DECISION_ALREADY_ANSWERED', 'SUBTASK_NOT_FOUND']],
  [5, ['NO_WORKER', 'TEMPORAL_UNREACHABLE', 'TEMPORAL_REFUSED', 'TEMPORAL_SERVER_FAILED', 'SERVICE_FAILED']],
  [130, ['INTERRUPTED']],
];

for (const [exit, codes] of table) {
  test.each(codes)(`%s exits ${exit}`, (code) => {
    expect(exitOf(code)).toBe(exit);
  });
}

test('a code that is a name of every object is no trap', () => {
  expect(exitOf('constructor')).toBe(1);
  expect(exitOf('toString_x')).toBe(1);
});
