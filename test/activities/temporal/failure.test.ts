// Errors on their way to the workflow: which are tried again, and what they carry.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { isTakenOver, takenOver, toFailure, transient } from '../../../activities/temporal/failure.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const missing = new HeddleError({ code: 'STORE_MISSING', message: 'it is gone', hint: 'look for it' });

test('an error with a code is not tried again, and carries its code and its hint without our stack', () => {
  expect(toFailure(missing)).toMatchObject({
    ...{ type: 'STORE_MISSING', message: 'it is gone', nonRetryable: true, stack: '' },
    details: [{ code: 'STORE_MISSING', hint: 'look for it' }],
  });
});

test('a failure stays as it is, and another error is converted as its activity says', () => {
  const failure = ApplicationFailure.retryable('later', 'busy');
  expect(toFailure(failure, () => 'converted')).toBe(failure);
  const error = new Error('disk full');
  expect(toFailure(error)).toBe(error);
  expect(toFailure(error, () => 'converted')).toBe('converted');
});

test('a failure that may pass is tried again, after the time that it asks for', () => {
  const failure = transient({ type: 'transient', message: 'busy', retryAfter: 2_000 });
  expect(failure).toMatchObject({ type: 'transient', nonRetryable: false, nextRetryDelay: 2_000 });
  expect(isTakenOver(failure)).toBe(false);
  expect(isTakenOver(takenOver('another execution has it'))).toBe(true);
});
