import { expect, test } from 'vitest';
import { checkTaskId, nextRetry, buildRetryId } from '../../../client/sdk/task-id.ts';

const next = (id: string): string => {
  const { stem, number } = nextRetry(id);
  return buildRetryId(stem, number);
};

test.each([
  ['release', 'release-r2'],
  ['release-r2', 'release-r3'],
  ['release-r9', 'release-r10'],
  ['-r2', '-r2-r2'],
])('the retry of %s is %s', (id, expected) => {
  expect(next(id)).toBe(expected);
});

test.each([1, 59, 60, 61, 62, 63, 64])('an id of %i characters can be retried, and its retries too', (length) => {
  const first = 'x'.repeat(length);
  const seen = new Set([first]);
  let id = first;
  for (let retry = 2; retry <= 999; retry += 1) {
    id = next(id);
    expect(checkTaskId(id)).toBe(id);
    seen.add(id);
  }
  expect(seen.size).toBe(999);
});

test('two long ids that begin alike have retries of different names', () => {
  const [one, other] = ['a', 'b'].map((end) => next(`${'x'.repeat(63)}${end}`));
  expect(one).not.toBe(other);
  expect(next(`${'x'.repeat(63)}a`)).toBe(one);
});
