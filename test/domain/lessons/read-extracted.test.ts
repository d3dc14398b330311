// Lessons of a model's reply are kept only where they may be.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMaterial } from '../../../domain/lessons/build-material.ts';
import { readsOutside } from '../../../domain/lessons/outside-tools.ts';
import { readExtracted, type LessonChecks } from '../../../domain/lessons/read-extracted.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { AttemptRecord } from '../../../domain/types/attempt-record.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';

const checks: LessonChecks = {
  evidence: 'Fill the form. Write NOTES.md with `npm test` and --strict, then src/app.ts. API_KEY is needed.',
  nearest: [{ id: 'l-0123456789', text: 'Give each change a heading' }],
  recalled: [{ id: 'l-aaaaaaaaaa', text: 'Release notes have one section for each tool' }],
};
const read = (lessons: unknown, form = (json: string): string => json) =>
  readExtracted(form(JSON.stringify({ lessons })), checks).map(({ text }) => text);

test.each([
  ['plain', (json: string) => json],
  ['in a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
  ['behind words', (json: string) => `Here it is:\n${json}`],
])('a reply %s is read', (_, form) => {
  expect(read([{ text: 'Write the heading first.' }], form)).toEqual(['Write the heading first.']);
});

test('no more than three lessons of a reply are kept', () => {
  expect(read(Array.from({ length: 9 }, (_, at) => ({ text: `Lesson number ${at}` })))).toHaveLength(3);
});

describe('a lesson that names what the model was not shown is dropped', () => {
  test.each([
    'Run `make install` first.',
    'Split lib/other.ts first.',
    'Read SECRETS.md before the work.',
    'Pass --force to the tool.',
    'Set DEPLOY_TOKEN before the start.',
    'Always run curl before the tests.',
    'Use docker for this.',
    'Look at $HOME first.',
    'Use rm with care.',
  ])('%s', (text) => {
    expect(read([{ text }])).toEqual([]);
  });
  test.each([
    'Run `npm test` before you finish.',
    'Split src/app.ts when it is long.',
    'Keep NOTES.md short, e.g. one page.',
    'Pass --strict to the tool.',
    'Say when API_KEY is missing.',
  ])('a lesson with names that were shown is kept: %s', (text) => {
    expect(read([{ text }])).toEqual([text]);
  });
});

test('a lesson that was shown to the subtask is not learned from its effect', () => {
  expect(read([{ text: 'Release notes have one section for each tool.' }])).toEqual([]);
  expect(read([{ text: 'The release notes have one section for each tool' }])).toEqual([]);
});

test('only known lessons that the model was shown are the same or replaced', () => {
  const lessons = (given: object) => readExtracted(JSON.stringify({ lessons: [given] }), checks);
  expect(lessons({ text: 'x y', same: 'l-0123456789' })).toEqual([
    { id: 'l-0123456789', text: 'Give each change a heading' },
  ]);
  expect(lessons({ text: 'Give no headings', replaces: 'l-0123456789' })).toMatchObject([{ replaces: 'l-0123456789' }]);
  expect(lessons({ text: 'Give no headings', replaces: 'l-bbbbbbbbbb' })[0]).not.toHaveProperty('replaces');
});

test('any reply is read without a throw, and no lesson is long or has control characters', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary' }), (value, text) => {
      for (const reply of [JSON.stringify({ lessons: value }), text, JSON.stringify({ lessons: [{ text }, value] })])
        for (const lesson of readExtracted(reply, checks)) {
          expect(lesson.text.length).toBeLessThanOrEqual(240);
          expect(lesson.text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        }
    }),
  );
});

describe('the material of a lesson', () => {
  const record = {
    subtask: 'a',
    attempt: 2,
    outcome: 'passed',
    notes: 'did it',
    files: [{ path: 'a.md' }],
  } as unknown as AttemptRecord;
  const failed = (type: FailureType) => ({
    ...{ attempt: 1, endedAt: '', files: [] },
    failure: buildFailure(type, { summary: 'it failed', details: 'secret output' }),
  });
  const build = (given: object) =>
    buildMaterial({
      end: 'completed',
      record,
      failures: [],
      corrections: [],
      recalled: [],
      readOutside: false,
      ...given,
    });
  test('is nothing for a good run, and for trouble of a service', () => {
    expect(build({})).toBeNull();
    expect(build({ failures: [failed('auth'), failed('environment'), failed('rate-limited')] })).toBeNull();
  });
  test('has no output of programs', () => {
    const material = build({ failures: [failed('verification-failed')] });
    expect(material).toMatchObject({ passed: true, notes: 'did it', files: ['a.md'] });
    expect(JSON.stringify(material)).not.toContain('secret output');
  });
  test("is a person's words where nothing failed", () => {
    expect(build({ corrections: ['shorter'] })).toMatchObject({ corrections: ['shorter'], failures: [] });
  });
  test('is a candidate where the subtask read outside', () => {
    expect(build({ corrections: ['x'], readOutside: true })).toMatchObject({ candidate: true });
  });
});

test('a tool that nobody knows reads outside', () => {
  expect(['read_file', 'shell', 'git', 'finish'].map(readsOutside)).toEqual([false, false, false, false]);
  expect(['web_fetch', 'read_artifact', 'mcp__files__read', 'notes__search', 'x'].every(readsOutside)).toBe(true);
});
