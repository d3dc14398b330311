/* Replies of models in place of the requested JSON, and the values read from them. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { outputLimits } from '../../../domain/output/limits.ts';
import type { OutputReading, Repair } from '../../../domain/output/pipeline.ts';
import { readOutput } from '../../../domain/output/pipeline.ts';

const schema = z.object({
  status: z.enum(['done', 'failed']),
  notes: z.string().nullish(),
  files: z.array(z.string()).optional(),
});
type Answer = z.infer<typeof schema>;

const read = (text: string): OutputReading<Answer> => readOutput(text, { schema });
const done: Answer = { status: 'done' };
const failed: Answer = { status: 'failed' };
const repaired = (value: Answer, how: Repair): OutputReading<Answer> => ({ kind: 'repaired', value, how });

describe('an answer that is the JSON', () => {
  test.each<[string, string, Answer]>([
    ['alone', '{"status":"done"}', done],
    ['with blanks around it', ' \r\n{"status": "done"}\n\n', done],
    ['with its keys in another order', '{"files":[],"notes":"n","status":"done"}', { ...done, notes: 'n', files: [] }],
    ['with keys that nobody asked for', '{"status":"done","mood":"good"}', done],
    [
      'with brackets and quotes in a string',
      '{"status":"done","notes":"} ] \\" ```"}',
      { ...done, notes: '} ] " ```' },
    ],
    [
      'with characters beyond the first plane',
      '{"status":"done","notes":"🧵\\ud83e\\uddf5"}',
      { ...done, notes: '🧵🧵' },
    ],
  ])('like %s is ok', (_, text, value) => {
    expect(read(text)).toEqual({ kind: 'ok', value });
  });

  test('is ok as a list when a list was requested', () => {
    expect(readOutput('[1, 2]', { schema: z.array(z.number()) })).toEqual({ kind: 'ok', value: [1, 2] });
  });

  test('has the value that the schema produces', () => {
    const percent = z.object({ confidence: z.number().transform((value) => value / 100) });
    expect(readOutput('{"confidence":85}', { schema: percent })).toEqual({ kind: 'ok', value: { confidence: 0.85 } });
  });
});

describe('JSON with text around it', () => {
  test.each<[string, string, Answer]>([
    ['a byte order mark', '\ufeff{"status":"done"}', done],
    ['a fence', '```json\n{"status":"done"}\n```', done],
    ['a fence without a language', '```\n{"status":"done"}\n```', done],
    ['a fence with Windows line ends', '```json\r\n{"status":"done"}\r\n```\r\n', done],
    ['a fence on one line', '```json {"status":"done"} ```', done],
    ['a fence without blanks', '```{"status":"done"}```', done],
    ['a fence that is never closed', '```json\n{"status":"done"}', done],
    ['an indented fence', '  - so:\n    ```json\n    {"status":"done"}\n    ```', done],
    ['a fence and words', 'Sure!\n\n```json\n{"status":"done"}\n```\n\nHope that helps {"status":"failed"}.', done],
    ['a fence after another object', 'Not {"status":"failed"} but\n```json\n{"status":"done"}\n```', done],
    ['a fence after another fence', '```sh\nls {a,b}\n```\nand\n```json\n{"status":"done"}\n```', done],
    ['ticks inside', '```json\n{"status":"done","notes":"```x``` "}\n```', { ...done, notes: '```x``` ' }],
  ])('has %s removed', (_, text, value) => {
    expect(read(text)).toEqual(repaired(value, 'unwrapped'));
  });

  test.each<[string, string, Answer]>([
    ['words before it', 'The answer is: {"status":"done"}', done],
    ['words behind it', '{"status":"done"}\nLet me know if you need more!', done],
    ['words with braces and quotes', 'It\'s 5" of {braces} and { more {"status":"done"} }', done],
    ['an object with other keys before it', '{"thought":"hm {"} then {"status":"done"}', done],
    ['a second answer behind it', '{"status":"failed"}\n{"status":"done"}', failed],
    ['a list around it', '[{"status":"done"}]', done],
    ['code before it', 'function f() { return { } } // {"status":"done"}', done],
    ['tags around it', '<answer>{"status":"done"}</answer>', done],
  ])('has %s removed too', (_, text, value) => {
    expect(read(text)).toMatchObject({ kind: 'repaired', value });
  });

  test('is reported as extracted', () => {
    expect(read('So: {"status":"done"}')).toEqual(repaired(done, 'extracted'));
  });
});

describe('broken JSON', () => {
  test.each<[string, string, Answer]>([
    ['a comma too much', '{"status":"done","files":["a",],}', { ...done, files: ['a'] }],
    ['a missing comma', '{"status":"done"\n"notes":"n"}', { ...done, notes: 'n' }],
    ['single quotes', "{'status': 'done', 'notes': 'a } b'}", { ...done, notes: 'a } b' }],
    ['curly quotes', '{“status”: “done”}', done],
    ['keys without quotes', '{status: "done"}', done],
    ['Python', "{'status': 'done', 'notes': None}", { ...done, notes: null }],
    ['comments', '{\n// why\n"status": "done" /* because */}', done],
    ['line ends in a string', '{"status":"done","notes":"a\nb"}', { ...done, notes: 'a\nb' }],
    ['quotes in a string', '{"status":"done","notes":"say "hi" now"}', { ...done, notes: 'say "hi" now' }],
    ['an escape that does not exist', '{"status":"done","notes":"\\d"}', { ...done, notes: 'd' }],
    ['a fence around it', '```json\n{"status":"done",}\n```\n', done],
    ['words around it', "Here: {'status': 'done'}. It's what you're after.", done],
    ['tabs in a string', '{"status":"done","notes":"a\tb"}', { ...done, notes: 'a\tb' }],
  ])('with %s is repaired', (_, text, value) => {
    expect(read(text)).toEqual(repaired(value, 'mended'));
  });

  test.each<[string, string, Answer]>([
    ['in a string', '{"status":"done","notes":"all go', { ...done, notes: 'all go' }],
    ['before the last bracket', '{"status":"done","files":["a"]', { ...done, files: ['a'] }],
    ['in a fence', '```json\n{"status":"done","files":["a", "b', { ...done, files: ['a', 'b'] }],
    ['behind a backslash', '{"status":"done","notes":"a\\', { ...done, notes: 'a' }],
  ])('is completed where it ends %s, and reported as such', (_, text, value) => {
    expect(read(text)).toEqual(repaired(value, 'completed'));
  });

  test('is repaired as a list when a list was requested', () => {
    const list = { schema: z.array(z.number()) };
    expect(readOutput('[1, 2,]', list)).toEqual({ kind: 'repaired', value: [1, 2], how: 'mended' });
    expect(readOutput('```json\n[1, 2', list)).toEqual({ kind: 'repaired', value: [1, 2], how: 'completed' });
  });
});

describe('an object inside the answer', () => {
  test.each([
    ['in an object without the keys', '{"example":{"status":"done"}}'],
    ['in an object that does not fit', '{"status":"no idea","example":{"status":"done"}}'],
    ['in a fenced object without the keys', '```json\n{"example":{"status":"done"}}\n```'],
  ])('is not the answer: %s', (_, text) => {
    expect(read(text).kind).toBe('invalid');
  });

  test.each([
    ['an object with a comma too much', '{"status":"failed","example":{"status":"done"},}'],
    ['an object that ends too early', '{"status":"failed","example":{"status":"done"}'],
    ['a string with a fence in an object that is mended', '{"status":"failed","notes":"\n```json\n{}\n```\n",}'],
    ['an object before a better one', '{"status":"failed",} {"status":"done"}'],
  ])('does not win over %s', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'repaired', value: failed });
  });

  test('does not win even when the object around it cannot be repaired', () => {
    const long = 'x'.repeat(outputLimits.mendedCharacters);
    expect(read(`{"status":"failed","notes":"${long}","example":{"status":"done"}`).kind).toBe('invalid');
  });
});

describe('an unusable answer', () => {
  test.each([
    ['empty', '', 'The answer is empty.'],
    ['blank', ' \n\ufeff ', 'The answer is empty.'],
    ['words', 'I am sorry, but I cannot.', 'The answer contains no JSON object with the key status.'],
    ['another value', 'null', 'The answer does not fit: expected object, received null.'],
    ['an empty fence', '```json\n```', 'The answer contains no JSON object with the key status.'],
    ['a missing key', '{}', 'The answer does not fit: status: Invalid option: expected one of "done"|"failed".'],
    [
      'a value deep inside',
      '{"status":"done","files":["a",7]}',
      'The answer does not fit: files[1]: expected string, received number.',
    ],
    [
      'many wrong values',
      '{"status":"done","files":[1,2,3,4,5]}',
      'The answer does not fit: files[0]: expected string, received number; files[1]: expected string, received number; ' +
        'files[2]: expected string, received number; and 2 more.',
    ],
  ])('like %s has a reason', (_, text, reason) => {
    const suggestion = 'Respond with only one JSON object with the key status; no Markdown, no explanation.';
    expect(read(text)).toEqual({ kind: 'invalid', reason, suggestion });
  });

  test('has a suggestion with the keys that the caller names', () => {
    expect(readOutput('no', { schema: z.unknown(), keys: ['passed', 'issues', 'feedback'] })).toMatchObject({
      suggestion:
        'Respond with only one JSON object with the keys passed, issues and feedback; no Markdown, no explanation.',
    });
    expect(readOutput('no', { schema: z.array(z.string()) })).toMatchObject({
      suggestion: 'Respond with only one JSON document; no Markdown, no explanation.',
    });
  });

  test('has a short reason on one line, whatever its keys', () => {
    const strict = z.strictObject({ status: z.string() });
    const outcome = readOutput(JSON.stringify({ status: 'a', [`\u001b[31m\n${'k'.repeat(9_000)}`]: 1 }), {
      schema: strict,
    });
    if (outcome.kind !== 'invalid') throw new Error('accepted');
    expect(outcome.reason).toMatch(/^[^\p{Cc}]{1,300}\.$/u);
  });

  test('is also one for which a transform of the schema throws', () => {
    const url = z.object({ url: z.string().transform((text) => new URL(text).host) });
    expect(readOutput('{"url":"no url"}', { schema: url })).toMatchObject({
      kind: 'invalid',
      reason: 'The answer could not be checked: Invalid URL.',
    });
  });
});
