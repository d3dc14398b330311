/* Suggestions for misspelt words. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../../domain/text/nearest.ts';

const keys = [
  'id',
  'description',
  'dependsOn',
  'tier',
  'deliverables',
  'maxAttempts',
  'verify',
  'verification',
  'timeout',
];

describe('the nearest word', () => {
  test.each([
    ['dependson', 'dependsOn'],
    ['depends_on', 'dependsOn'],
    ['DEPENDS-ON', 'dependsOn'],
    ['depndsOn', 'dependsOn'],
    ['dependencies', 'dependsOn'],
    ['teir', 'tier'],
    ['tiers', 'tier'],
    ['desc', 'description'],
    ['timeoutMs', 'timeout'],
    ['attempts', 'maxAttempts'],
    ['verifi', 'verify'],
    ['Id', 'id'],
  ])('to %s is %s', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected);
  });

  test.each(['x', 'ab', 'colour', '', '__proto__', 'xxxxxxxxxxxxxxxx'])('to %j does not exist', (word) => {
    expect(nearest(word, keys)).toBeUndefined();
  });

  test('is the first of equals, and the word itself when it is among them', () => {
    expect(nearest('step-x', ['step-1', 'step-2'])).toBe('step-1');
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (word, others) => {
        const suggestion = nearest(word, [word, ...others]);
        expect(suggestion).toBe(word);
      }),
    );
  });

  test('is found after one edit of a word of six letters or more', () => {
    const edits = fc.tuple(fc.stringMatching(/^[a-z]{6,20}$/), fc.nat(), fc.constantFrom('drop', 'add', 'swap'));
    const check = ([word, at, edit]: [string, number, string]): void => {
      const i = at % (word.length - 1);
      const middle = { drop: '', add: `${word[i]!}q`, swap: word[i + 1]! + word[i]! }[edit] ?? '';
      expect(nearest(word.slice(0, i) + middle + word.slice(edit === 'swap' ? i + 2 : i + 1), [word])).toBe(word);
    };
    fc.assert(fc.property(edits, check));
  });
});
