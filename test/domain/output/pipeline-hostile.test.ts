/* Answers that hurt parsers: the forms of the published JSON test suites, and inputs that make careless code slow or large. */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { outputLimits } from '../../../domain/output/limits.ts';
import type { OutputReading } from '../../../domain/output/pipeline.ts';
import { readOutput } from '../../../domain/output/pipeline.ts';

const anything = z.record(z.string(), z.unknown());
const read = (text: string): OutputReading<Record<string, unknown>> => readOutput(text, { schema: anything });
const { bytes, depth, values, mendedCharacters } = outputLimits;

const pristine = Reflect.ownKeys(Object.prototype);
afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(pristine);
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

describe('JSON that parsers disagree about', () => {
  test.each([
    ['the same key twice', '{"a":1,"a":2}', 'has the same key twice in one object'],
    ['the same key twice, once escaped', '{"a":1,"\\u0061":1}', 'has the same key twice in one object'],
    ['the same key twice, deep inside', '{"b":[{"a":1,"a":1}]}', 'has the same key twice in one object'],
    ['the same key twice in words', 'so {"a":1,"a":2}', 'has the same key twice in one object'],
    ['the same key twice, mended', '{"a":1,"a":2,}', 'has the same key twice in one object'],
    ['a number above the largest', '{"a":1e400}', 'has a number that is too large'],
    ['a number below the smallest', '{"a":[-1e400]}', 'has a number that is too large'],
    ['a number of many digits', `{"a":${'9'.repeat(400)}}`, 'has a number that is too large'],
    ['half a character in a key', '{"\\udc00":1}', 'has a key with half a character in it'],
    ['too many levels', `${'{"a":'.repeat(depth + 1)}1${'}'.repeat(depth + 1)}`, 'is nested deeper than 64 levels'],
    ['levels without an end', '['.repeat(100_000), 'is nested deeper than 64 levels'],
    ['objects without an end', '{"a":'.repeat(100_000), 'is nested deeper than 64 levels'],
    ['levels behind words', `so {"a":${'['.repeat(100_000)}`, 'is nested deeper than 64 levels'],
    ['too many values', `{"a":[${'1,'.repeat(values)}1]}`, 'has more than 10000 values'],
    ['too many bytes', `{"a":"${'x'.repeat(bytes)}"}`, 'is longer than 1048576 bytes'],
    ['too many bytes in few characters', `{"a":"${'€'.repeat(bytes / 2)}"}`, 'is longer than 1048576 bytes'],
  ])('with %s is refused', (_, text, what) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', reason: `The answer ${what}.` });
  });

  test.each([
    ['the deepest', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['the longest', `{"a":"${'x'.repeat(bytes - 8)}"}`],
    ['the longest in bytes', `{"a":"${'€'.repeat((bytes - 10) / 3)}"}`],
    ['brackets in a string', `{"a":"${'['.repeat(1_000)}"}`],
    ['a key in two objects', '{"a":{"a":1},"b":{"a":":"}}'],
    ['numbers at the edge', '{"a":[1.7976931348623157e308,5e-324,-0,1E+2,12345678901234567890]}'],
    ['all escapes', '{"\\u0000\\"\\\\\\/\\b\\f\\n\\r\\t\\u20AC":"\\ud834\\udd1e\\uFFFF"}'],
    ['an empty key', '{"":{"":[]}}'],
    ['separators of lines that are not JSON blanks', '{"a":"\u2028\u2029\u00a0\u007f"}'],
  ])('with %s is ok', (_, text) => {
    expect(read(text)).toEqual({ kind: 'ok', value: JSON.parse(text) as unknown });
  });

  test.each<[string, string, unknown]>([
    ['NaN', '{"a":NaN}', 'NaN'],
    ['Infinity', '{"a":-Infinity}', '-Infinity'],
    ['a leading zero', '{"a":007}', '007'],
    ['a number that ends in a point', '{"a":2.}', 2],
    ['a hexadecimal number', '{"a":0x1F}', '0x1F'],
    ['an escape of two digits', '{"a":"\\x41"}', 'x41'],
    ['a raw line end', '{"a":"1\r\n2"}', '1\r\n2'],
    ['a blank that is no JSON blank', '{\u00a0"a":1}', 1],
    ['half a character, written out', '{"a":"\ud800"}', '\ufffd'],
    ['half a character, escaped', '{"a":"\\udc00x"}', '\ufffdx'],
    ['characters in the wrong order', '{"a":"\\udd1e\\ud834"}', '\ufffd\ufffd'],
  ])('with %s never passes for something else', (_, text, a) => {
    expect(read(text)).toMatchObject({ kind: 'repaired', value: { a } });
  });

  test.each([
    ['an escape that is cut', '{"a":"\\u12"}'],
    ['an escape with other letters', '{"a":"\\uZZZZ"}'],
    ['a null character in a string', '{"a":"\u0000"}'],
    ['another control character', '{"a":"\u001f"}'],
    ['a lone bracket', '}'],
    ['a key without a value', '{"a"}'],
    ['a list in braces', '{"a","b"}'],
    ['a comma in braces', '{,}'],
    ['two commas', '{"a":1,,"b":2}'],
    ['a plus before a number', '{"a":+1}'],
    ['binary', '\u0000\u0001\u0002\ufffe\uffff'],
  ])('with %s is not guessed at', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', reason: 'The answer contains no JSON that fits.' });
  });
});

describe('a key that reaches a prototype', () => {
  test.each([
    ['__proto__', '{"a":1,"__proto__":{"polluted":true}}'],
    ['__proto__, escaped', '{"a":1,"__pr\\u006fto__":{"polluted":true}}'],
    ['constructor', '{"a":1,"constructor":{"prototype":{"polluted":true}}}'],
    ['__proto__ in a broken object', '{"a":1,"__proto__":{"polluted":true},}'],
    ['__proto__ with a number in it', '{"a":1,"__proto__":[{"constructor":{"__proto__":1}}]}'],
    ['__proto__ with half a character', '{"a":1,"__proto__":"\\ud800"}'],
  ])('like %s is dropped', (_, text) => {
    const outcome = read(text);
    if (outcome.kind !== 'repaired') throw new Error(outcome.kind);
    expect(Reflect.ownKeys(outcome.value)).toEqual(['a']);
    expect(Object.getPrototypeOf(outcome.value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  test('is dropped however deep, and reported', () => {
    const outcome = read('{"a":[{"b":{"__proto__":{"c":1},"d":2}}]}');
    expect(outcome).toEqual({ kind: 'repaired', value: { a: [{ b: { d: 2 } }] }, how: 'cleaned' });
  });

  test('pollutes nothing under a schema that copies every key', () => {
    const outcome = readOutput('{"__proto__":{"polluted":true},"a":1}', { schema: z.looseObject({ a: z.number() }) });
    expect(outcome).toEqual({ kind: 'repaired', value: { a: 1 }, how: 'cleaned' });
    expect({}).not.toHaveProperty('polluted');
  });

  test('cannot replace an expected key', () => {
    expect(readOutput('so {"b":1}', { schema: z.unknown(), keys: ['toString'] }).kind).toBe('invalid');
  });
});

describe('a second and 100 MB', () => {
  const mebi = (unit: string, before = ''): string => before + unit.repeat((bytes - before.length) / unit.length);
  const kibi = (unit: string, before: string, after: string): string =>
    before + unit.repeat((mendedCharacters - before.length - after.length) / unit.length) + after;
  const choice = z.union([z.string(), z.boolean(), z.object({ b: z.string() })]);

  test.each<[string, string]>([
    ['brackets', mebi('[')],
    ['objects that open', mebi('{"a":')],
    ['keys that never get a value', mebi('{"')],
    ['quotes', mebi('"')],
    ['backslashes', mebi('\\', '{"a":"')],
    ['fences', mebi('```\n')],
    ['fences on one line', mebi('```a ')],
    ['fences with an object', mebi('```json\n{"a"\n')],
    ['ticks', mebi('`')],
    ['small objects', mebi('{"b":1} ')],
    ['small broken objects', mebi('{"a":1,} ')],
    ['braces', mebi('{ ')],
    ['braces with words', mebi('{ a ')],
    ['braces and blanks', mebi(' ', '{')],
    ['blanks', mebi(' ')],
    ['digits', mebi('9', '{"a":')],
    ['one long string', mebi('x', '{"a":"')],
    ['values that do not fit', `{"a":[${'1,'.repeat(values - 10)}1]}`],
    ['objects whose values do not fit', mebi(`{"a":[${'1,'.repeat(values - 10)}1]} `)],
    ['missing commas', kibi('1 ', '{"a":[', '')],
    ['commas too much', kibi('[1,],', '{"a":[', '')],
    ['missing quotes', kibi(':"b', '{"a":["a', '')],
    ['quotes inside words', kibi('a "b ', '{"a":["', ',')],
    ['apostrophes inside words', kibi("a 'b ", "{'a':['", ',')],
    ['named quotes inside words', kibi('a &quot;b ', '{&quot;a&quot;:[&quot;', ',')],
    ['as many loose quotes as are mended', `{"a":["${`${'x'.repeat(300)} "b `.repeat(outputLimits.looseQuotes - 1)},`],
    ['brackets before quotes', kibi('[a"],', '{"a":["', ':')],
    ['calls', kibi('a(', '{"a":', '')],
    ['objects in a row', kibi('{"a" 1 ', '{"a":[', '')],
    ['lines', kibi('{}\n', '', '')],
    ['a gigabyte of nothing in particular', 'x'.repeat(2 ** 29 - 64)],
  ])('are enough for %s', (_, text) => {
    for (const schema of [z.object({ a: z.array(choice) }), z.array(choice), z.record(z.string(), choice)]) {
      const memory = process.resourceUsage().maxRSS;
      const start = process.threadCpuUsage();
      const outcome = readOutput<unknown>(text, { schema });
      expect(process.threadCpuUsage(start).user / 1_000).toBeLessThan(1_000);
      expect(process.resourceUsage().maxRSS - memory).toBeLessThan(100 * 1_024);
      expect(['ok', 'repaired', 'invalid']).toContain(outcome.kind);
    }
  });
});
