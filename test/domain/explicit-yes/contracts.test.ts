/* A program that does not say success on its last line never has a contract of success. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCompletionContract } from '../../../domain/output/completion-contract.ts';
import { parseCompletionContract } from '../../../domain/output/completion-line.ts';
import { cutOf, numRuns, soupOf, timeout, utf16, writtenObject } from './drawn.ts';

const success = '{"status": "success", "notes": "done"}';
const others: readonly unknown[] = [
  ...[
    'failed',
    'Failed',
    'FAILED',
    'blocked',
    'partial',
    'error',
    'ok',
    'done',
    'completed',
    'succeeded',
    'not success',
  ],
  ...['unsuccessful', 'success?', 'successful', '', true, 1, 0, null, [], ['success'], { status: 'success' }],
];
const keys = ['status', 'Status', 'state', 'notes', 'success', 'result', 'passed', 'ok'];
const object = writtenObject(
  fc.array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...others)), { maxLength: 4 }),
);
const words = fc.constantFrom('Done.', 'success', 'status: success', 'All tests passed.', '```', 'OK', "{'status'}");
const soup = soupOf([
  '{',
  '}',
  '"status":',
  '"',
  ':',
  ',',
  'failed',
  '"blocked"',
  'true',
  'ok',
  'done',
  '[',
  ']',
  '\\',
]);

const isSuccess = (stdout: string): boolean => parseCompletionContract(stdout)?.status === 'success';
const neverSucceeds = (texts: fc.Arbitrary<string>): void =>
  fc.assert(
    fc.property(texts, (text) => !isSuccess(text)),
    { numRuns },
  );

const lastLine = fc.oneof(object, words, soup, utf16).filter((text) => text.trim() !== '');

test('output whose last line does not say success is none', { timeout }, () => {
  const before = fc.array(fc.oneof(object, words, fc.constant(success)), { maxLength: 4 });
  neverSucceeds(fc.tuple(before, lastLine).map(([lines, last]) => [...lines, last].join('\n')));
});

test('a contract of success that was cut off is none', { timeout }, () => {
  neverSucceeds(fc.tuple(fc.oneof(words, utf16), cutOf(fc.constant(success))).map((parts) => parts.join('\n')));
});

test('a value without the status success is none', { timeout }, () => {
  const value = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...others), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.oneof(value, fc.anything()), (given) => {
      const isExplicit = typeof given === 'object' && given !== null && Reflect.get(given, 'status') === 'success';
      return isExplicit || readCompletionContract(given)?.status !== 'success';
    }),
    { numRuns },
  );
});

test('an explicit success on the last line is one, so that the properties above mean something', () => {
  expect(isSuccess(`Done.\n${success}\n`)).toBe(true);
});
