/* readOutput on anything: HEDDLE_FUZZ_RUNS=100000 for a long look. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readOutput } from '../../../domain/output/pipeline.ts';
import { growth, linear, traps } from '../attempt/support-linear.ts';

const numRuns = Number(process.env.HEDDLE_FUZZ_RUNS ?? 1_500);
const timeout = 60_000 + numRuns * 20;
const answer = z.object({ status: z.string(), notes: z.unknown() });
const schemas: z.ZodType[] = [answer, z.unknown(), z.array(z.unknown())];
const pristine = Reflect.ownKeys(Object.prototype);

const utf16 = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
const words = fc.constantFrom(
  'status',
  'notes',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a',
  '}',
  '"',
  '```',
  "it's",
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(words, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), utf16),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(words, tie('any')), { maxLength: 5 }).map((entries) => ({ entries })),
  ),
})).any;

/** With keys that stand twice, and `__proto__` as a key like any other. */
function write(any: unknown): string {
  if (Array.isArray(any)) return `[${any.map(write).join(', ')}]`;
  if (typeof any !== 'object' || any === null || !('entries' in any) || !Array.isArray(any.entries))
    return JSON.stringify(any);
  const members = any.entries.map((entry: unknown) => {
    const [key, inner] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return `${JSON.stringify(key)}: ${write(inner)}`;
  });
  return `{${members.join(', ')}}`;
}

const marks = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  "'",
  '\\',
  '\n',
  '```json\n',
  '\n```',
  '//',
  '/*',
  '*/',
  '&quot;',
  '…',
  '(',
];
const tokens = [
  ...marks,
  ' ',
  '\ufeff',
  '\ud800',
  '\u0000',
  '1e400',
  'NaN',
  'True',
  'None',
  '...',
  '"status":',
  '"notes":"',
];
const soup = fc.array(fc.oneof(fc.constantFrom(...tokens), words), { maxLength: 40 }).map((parts) => parts.join(''));

/** JSON with a few places cut out, doubled or filled with something else, and words around it. */
const mutated = fc
  .tuple(
    fc.oneof(
      value.map(write),
      value.map((notes) => `{"status": "done", "notes": ${write(notes)}}`),
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', '', ...tokens)), { maxLength: 4 }),
    fc.constantFrom('', '', 'Sure! ', '```json\n', "It's {so}: ", '['),
    fc.constantFrom('', '', '\n```', ' Bye "now".', ']', ','),
  )
  .map(([json, changes, before, behind]) => {
    const changed = changes.reduce((text, [place, length, filling]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + filling + text.slice(at + length);
    }, json);
    return before + changed + behind;
  });

function isClean(any: unknown): boolean {
  if (typeof any === 'string') return any.isWellFormed();
  if (typeof any === 'number') return Number.isFinite(any);
  if (typeof any !== 'object' || any === null) return true;
  return Object.entries(any).every(([key, inner]) => key !== '__proto__' && key !== 'constructor' && isClean(inner));
}

/** Plain comparisons: expect() costs more than what is tested. */
function problemWith(text: string, schema: z.ZodType): string | undefined {
  const outcome = readOutput(text, { schema });
  if (!isDeepStrictEqual(outcome, readOutput(text, { schema }))) return 'differs the second time';
  if (!isDeepStrictEqual(Reflect.ownKeys(Object.prototype), pristine)) return 'polluted';
  if (outcome.kind === 'invalid') {
    const { reason, suggestion } = outcome;
    return /^[A-Z][^\p{Cc}\p{Cs}]{1,1000}\.$/u.test(reason) && suggestion.startsWith('Respond with only ')
      ? undefined
      : `says ${JSON.stringify(reason)}`;
  }
  if (!isClean(outcome.value)) return 'is not clean';
  if (!schema.safeParse(outcome.value).success) return 'does not fit';
  if (outcome.kind === 'repaired') return undefined;
  return isDeepStrictEqual(schema.parse(JSON.parse(text)), outcome.value) ? undefined : 'is not what was sent';
}

describe('any text', () => {
  test.each([
    ['of any characters', utf16],
    ['of whole characters', fc.string({ unit: 'binary' })],
    ['of marks and words', soup],
    ['that is nearly JSON', mutated],
  ])(
    'like %s has the same typed outcome each time, clean and without a throw',
    (_, texts) => {
      fc.assert(
        fc.property(texts, fc.constantFrom(...schemas), (text, schema) => {
          const problem = problemWith(text, schema);
          if (problem !== undefined) throw new Error(problem);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  test('from JSON.stringify of an object is ok', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const text = JSON.stringify(object);
        const outcome = readOutput(text, { schema: z.unknown() });
        const unsafe = /"(?:__proto__|constructor)":/.test(text);
        expect(outcome).toEqual(unsafe ? expect.anything() : { kind: 'ok', value: JSON.parse(text) as unknown });
      }),
      { numRuns: 1_000 },
    );
  });

  test('around the JSON without a brace or tick does not change the JSON', () => {
    const prose = fc.string().map((text) => text.replace(/[{`]/g, ''));
    const answers = fc.record({ status: fc.string(), notes: fc.jsonValue({ maxDepth: 3 }) }, { noNullPrototype: true });
    fc.assert(
      fc.property(prose, answers, prose, (before, sent, behind) => {
        const outcome = readOutput(`${before}.${JSON.stringify(sent)}.${behind}`, { schema: answer });
        if (/"(?:__proto__|constructor)":/.test(JSON.stringify(sent))) return;
        expect(outcome).toEqual({
          kind: 'repaired',
          how: 'extracted',
          value: JSON.parse(JSON.stringify(sent)) as unknown,
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the time for an answer', () => {
  const own: typeof traps = [
    ['objects', (n) => '{"status":1} '.repeat(n / 13)],
    ['broken objects', (n) => '{"status":1,} '.repeat(n / 14)],
    ['beginnings of objects', (n) => '{ "'.repeat(n / 3)],
    ['braces and blanks', (n) => `{${' '.repeat(n)}`.repeat(2)],
    ['names before blanks', (n) => `{a${' '.repeat(n)}`],
    ['fences', (n) => '```json\n'.repeat(n / 8)],
    ['fences in a line', (n) => '``` {'.repeat(n / 5)],
    ['a list', (n) => `[${'1 '.repeat(n / 2)}`],
    ['a long string', (n) => `{"status":"${'x'.repeat(n)}"}`],
  ];

  test.each([...traps, ...own])('grows with the text: %s', (_, input) => {
    const read = (text: string): void => {
      readOutput(text, { schema: answer, maxBytes: Number.MAX_SAFE_INTEGER });
    };
    expect(growth(read, input, 500_000)).toBeLessThan(linear);
  });
});
