// The table of exit codes that scripts rely on.
import { expect, test } from 'vitest';
import { exits } from '../../../../client/cli/shared/exit-codes.ts';
import { type ErrorCode, errorCodes, isErrorCode } from '../../../../domain/errors/error-codes.ts';

const table: [exit: number, codes: ErrorCode[]][] = [
  [
    exits.failed,
    [
      'WORKSPACE_BUSY',
      'SERVICE_BUSY',
      'TASK_FAILED',
      'TASK_CANCELLED',
      'PREPARE_FAILED',
      'STATE_UNREADABLE',
      'PLAN_PAGE_WITHOUT_SUBTASK',
      'STORE_DAMAGED',
      'INTERNAL',
    ],
  ],
  [
    exits.usage,
    [
      'USAGE',
      'PLAN_SYNTAX',
      'PLAN_CYCLE',
      'PLAN_INVALID',
      'PLAN_NOT_FOUND',
      'PLAN_TOO_LARGE',
      'PREFLIGHT_FAILED',
      'PROGRAM_NOT_FOUND',
      'VARIABLE_NOT_SET',
      'WORKSPACE_NOT_FOUND',
      'MESSAGE_INVALID',
      'STEERING_FULL',
      'MEMORY_TOO_LARGE',
      'HOME_OF_ANOTHER_SERVER',
      'DECISION_UNKNOWN_OPTION',
      'DECISION_NEEDS_INSTRUCTION',
      'TASK_EXISTS',
      'TASK_ID_INVALID',
      'CONFIG_UNKNOWN_KEY',
      'CONFIG_WRONG_TYPE',
      'TEMPORAL_CONFIG_INVALID',
    ],
  ],
  [exits.personNeeded, ['PERSON_NEEDED']],
  [
    exits.notFound,
    ['TASK_NOT_FOUND', 'TASK_ENDED', 'DECISION_NOT_FOUND', 'DECISION_ALREADY_ANSWERED', 'SUBTASK_NOT_FOUND'],
  ],
  [
    exits.unreachable,
    ['NO_WORKER', 'TEMPORAL_UNREACHABLE', 'TEMPORAL_REFUSED', 'TEMPORAL_SERVER_FAILED', 'SERVICE_FAILED'],
  ],
  [exits.interrupted, ['INTERRUPTED']],
];

for (const [exit, codes] of table) {
  test.each(codes)(`%s exits ${exit}`, (code) => {
    expect(errorCodes[code].exit).toBe(exit);
  });
}

test('an error never exits like success, and has an HTTP status of an error', () => {
  const codes: number[] = Object.values(exits).filter((exit) => exit !== exits.done);
  for (const { exit, http } of Object.values(errorCodes)) {
    expect(codes).toContain(exit);
    expect(http).toBeGreaterThanOrEqual(400);
  }
});

test('a text from outside is a code only when the table has it', () => {
  expect(isErrorCode('TASK_FAILED')).toBe(true);
  for (const text of ['constructor', 'toString', 'SOMETHING', 'PLAN_', '', undefined, null, 5]) {
    expect(isErrorCode(text)).toBe(false);
  }
});
