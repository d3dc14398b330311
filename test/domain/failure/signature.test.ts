import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureTypes } from '../../../domain/types/basic/failure-types.ts';
import { buildSignature, hasOwnText, normaliseMessage } from '../../../domain/failure/signature.ts';
import { growth, linear, traps } from '../attempt/support-linear.ts';

/* The same failure with other numbers, names and places in it has the same signature; another failure has another. */

const same = (a: string, b: string): boolean => buildSignature('tool-failed', a) === buildSignature('tool-failed', b);

describe('two occurrences of one failure', () => {
  const rows: [what: string, first: string, second: string][] = [
    ['case and white space', 'Cannot  READ the\n file', 'cannot read the file'],
    ['colours', '\u001b[31merror\u001b[0m: x', 'error: x'],
    ['numbers', 'expected 3 to equal 4', 'expected 1234567 to equal 0'],
    ['decimals, separators and exponents', 'loss 0.25 after 1,000 steps', 'loss 1.5e-10 after 12 steps'],
    ['numbers in words', 'worker7 lost node12', 'worker1234567 lost node3'],
    ['versions', 'needs v1.2.3 of it', 'needs v7 of it'],
    ['durations of any unit', 'timed out after 900ms', 'timed out after 1 min 8 s'],
    ['durations that run together', 'took 1m20s', 'took 5s'],
    ['times', '2026-03-01T10:00:00Z failed', '2027-11-30T23:59:59.123Z failed'],
    ['UUIDs', 'job 550e8400-e29b-41d4-a716-446655440000 died', 'job 123E4567-E89B-12D3-A456-426614174000 died'],
    ['hex', 'commit 1a2b3c4 at 0xDEADBEEF', 'commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432 at 0x7f'],
    ['a hex number of digits only', 'object 1a345678 is missing', 'object 12345678 is missing'],
    ['ids', 'request 8fk2x9 failed', 'request q7w1z3 failed'],
    ['paths', 'cannot open /home/ana/a.txt', 'cannot open /tmp/x/y/z.json'],
    ['relative and Windows paths', 'cannot open src/a.ts', 'cannot open C:\\work\\b.ts'],
    ['places in files', 'src/a.ts(12,3): error', 'lib/b/c.ts(4,55): error'],
    ['URLs', 'GET https://a.example/x?q=1 failed', 'GET http://127.0.0.1:8080/ failed'],
    ['names in double quotes', 'no module "left-pad"', 'no module "right pad"'],
    ['names in single quotes', "no module 'a'", "no module 'b'"],
    ['names in backticks', 'no module `a`', 'no module `b`'],
    ['names in typographic quotes', 'error: ‘foo’ undeclared', 'error: ‘bar’ undeclared'],
    ['names after an apostrophe', "can't find 'foo' in the file's list", "can't find 'bar' in the file's list"],
  ];
  test.each(rows)('differ in %s and have one signature', (_, first, second) => {
    expect(normaliseMessage(first)).toBe(normaliseMessage(second));
    expect(same(first, second)).toBe(true);
  });
});

describe('two failures', () => {
  const rows: [first: string, second: string][] = [
    ['cannot read the file', 'cannot write the file'],
    ["can't connect; it won't answer", "can't parse; it won't end"],
    ['expected 3 to equal 4', 'expected 3 to be below 4'],
    ['Tests failed: login', 'Tests failed: logout'],
    ['TypeError: x is not a function', 'ReferenceError: x is not defined'],
    ['', 'x'],
    ['失败', '错误'],
  ];
  test.each(rows)('saying %j and %j have two signatures', (first, second) => {
    expect(same(first, second)).toBe(false);
  });

  test('of different types have two signatures, whatever their text', () => {
    const signatures = failureTypes.map((type) => buildSignature(type, 'it broke'));
    expect(new Set(signatures).size).toBe(failureTypes.length);
  });
});

const word = fc.constantFrom(
  'cannot',
  'open',
  'file',
  'worker',
  'step',
  'lost',
  'the',
  'über',
  '失败',
  'x',
  '-',
  ':',
  '(',
  ')',
);
const whole = fc.oneof(fc.nat(), fc.nat(20));
const number = fc.oneof(
  whole,
  fc.double({ min: 0, max: 1e6, noNaN: true }).map((n) => n.toFixed(2)),
);

describe('buildSignature', () => {
  test('ignores numbers in a message', () => {
    const pieces = (n: fc.Arbitrary<number | string>) =>
      fc.array(
        fc.oneof(
          word.map((text) => ({ a: text, b: text })),
          fc.tuple(n, n).map(([a, b]) => ({ a: String(a), b: String(b) })),
        ),
        { maxLength: 30 },
      );
    // A number with a fraction stands for itself; a whole one may be part of a word.
    const messages = fc.oneof(
      pieces(number).map((parts) => ({ parts, between: ' ' })),
      pieces(whole).map((parts) => ({ parts, between: '' })),
    );
    fc.assert(
      fc.property(messages, ({ parts, between }) => {
        const first = parts.map(({ a }) => a).join(between);
        const second = parts.map(({ b }) => b).join(between);
        expect(normaliseMessage(first)).toBe(normaliseMessage(second));
      }),
      { numRuns: 2_000 },
    );
  });

  test('ignores names and paths in a message', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'B', '3', '_', '.', 'é', ' '), minLength: 1, maxLength: 40 });
    const path = fc
      .array(fc.string({ unit: fc.constantFrom('a', 'B', '3', '_', '.', '-', 'é'), minLength: 1 }), { minLength: 1 })
      .map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(name, name, path, path, (nameA, nameB, pathA, pathB) => {
        expect(same(`no "${nameA}" in ${pathA} here`, `no "${nameB}" in ${pathB} here`)).toBe(true);
      }),
    );
  });

  test('distinguishes messages with different words', () => {
    const plain = fc.stringMatching(/^[g-z]{1,12}( [g-z]{1,12}){0,5}$/);
    fc.assert(
      fc.property(plain, plain, (first, second) => {
        fc.pre(first !== second);
        expect(same(`fails: ${first}`, `fails: ${second}`)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('accepts any text, is deterministic, and names the type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...failureTypes), fc.string({ unit: 'binary', maxLength: 400 }), (type, text) => {
        const signature = buildSignature(type, text);
        expect(signature).toMatch(/^[a-z-]+-[0-9a-f]{16}$/);
        expect(signature.startsWith(`${type}-`)).toBe(true);
        expect(buildSignature(type, text)).toBe(signature);
      }),
    );
  });

  test('signs a long message by its beginning, wherever its numbers end', () => {
    const long = (n: number): string => `step ${n} of the build. `.repeat(200);
    expect(same(long(1), long(1_234_567))).toBe(true);
    expect(same(`a${'x '.repeat(5_000)}`, `b${'x '.repeat(5_000)}`)).toBe(false);
    expect(same(`${'x '.repeat(5_000)}a`, `${'x '.repeat(5_000)}b`)).toBe(true);
  });

  test.each(traps)('takes time in proportion to a message of one megabyte (%s)', (_, inputOf) => {
    expect(growth((input) => buildSignature('unknown', input), inputOf, 256 * 1024)).toBeLessThan(linear);
  });
});

describe('a text that says of itself what failed', () => {
  test.each([
    'Cannot find module x',
    'TypeError: x is not a function',
    '3 problems (3 errors)',
    'make: *** [Makefile:2: lint] Error 1',
    'coverage failed',
    'killed by the linter',
  ])('is %j', (text) => {
    expect(hasOwnText(text)).toBe(true);
  });

  test.each([
    '',
    '12345',
    '/srv/app/index.js:3',
    'Error',
    'ERROR: failed.',
    'Command failed with exit code 1.',
    'ELIFECYCLE Command failed with exit code 2.',
    'exit status 1',
    'npm ERR! code ELIFECYCLE\nnpm ERR! errno 1',
    'Process exited with code 137',
    'Killed',
    'fatal: aborted',
  ])('is not %j', (text) => {
    expect(hasOwnText(text)).toBe(false);
  });
});
