// Messages to a project come from anywhere: the reader takes them, clips them or refuses them with a code, and never breaks.
import { describe, expect, test } from 'vitest';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { readCarried } from '../../../domain/memory/carried.ts';
import { readFix, readForget, readImport, readTeaching } from '../../../domain/memory/messages.ts';
import { emptyMemory } from '../../../domain/memory/memory.ts';
import { resolveProjectName } from '../../../domain/memory/project-id.ts';
import { forget, buildMemoryView, newProject, takeTeaching } from '../../../domain/memory/project-state.ts';
import { readMemoryAnswer } from '../../../domain/memory/read-memory.ts';

const signature = 'timeout-1a2b3c4d5e6f7a8b';
const remembered = { signature, type: 'timeout', summary: 's', count: 1, fixedAtRung: 3, hint: 'h' };
const answer = { signature, option: 'retry' };
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { signatures: value };
  return value;
};
const own = (text: string): unknown => JSON.parse(text);

const garbage: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  NaN,
  'learn',
  'x'.repeat(1_900_000),
  [],
  [[]],
  {},
  nested(100_000),
  own('{"__proto__": {"taskId": "t", "signatures": [], "answers": []}}'),
  { taskId: 't', signatures: {}, answers: [] },
  { taskId: 't', signatures: [null], answers: [] },
  { taskId: 't', signatures: [nested(50_000)], answers: [] },
  { taskId: 't', signatures: [], answers: 'none' },
  { taskId: 7, signatures: [], answers: [] },
  { taskId: '', signatures: [], answers: [] },
  { taskId: 't', signatures: [remembered], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: 'now' }], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: -1 }], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: 1, count: 1.5 }], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: 1, fixedAtRung: 99 }], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: 1, signature: '__proto__' }], answers: [] },
  { taskId: 't', signatures: [{ ...remembered, at: 1, signature: `${'a'.repeat(1_000_000)}-1a2b3c4d` }], answers: [] },
  { taskId: 't', signatures: [own(`{"__proto__": ${JSON.stringify({ ...remembered, at: 1 })}}`)], answers: [] },
  { taskId: 't', signatures: [], answers: [{ ...answer, at: 1, option: { toString: 1 } }] },
  { taskId: 't', signatures: [], answers: [{ signature: 'gate:delete:rm', option: 'approve', at: 1 }] },
  { taskId: 't', signatures: [], answers: [{ signature: 'gate:program:npm install', option: 'reject', at: 1 }] },
  { taskId: 't', signatures: [{ ...remembered, at: 1, signature: 'gate:program:npm install' }], answers: [] },
  { taskId: 't', signatures: [], answers: [{ ...answer, at: 1, instruction: 5 }] },
];

describe('a damaged message', () => {
  test.each(garbage.map((value, index) => [index, value]))('number %i is refused by every reader', (_, value) => {
    const readers = [
      () => readTeaching(value, 10),
      () => readForget(emptyMemory('p'), value),
      () => readFix(value),
      () => readMemoryAnswer('p', value),
    ];
    for (const read of readers) {
      let thrown: unknown;
      try {
        read();
      } catch (error) {
        thrown = error;
      }
      if (thrown === undefined && read === readers[3]) continue;
      expect(thrown).toBeInstanceOf(HeddleError);
      expect(JSON.stringify(thrown).length).toBeLessThan(1_000);
    }
  });

  test.each(garbage.map((value, index) => [index, value]))('in carried state %i still starts a memory', (_, value) => {
    const state = readCarried(value, 'p', 10);
    expect(state).toMatchObject({ version: 1, project: 'p', signatures: [], answers: [] });
    expect(state.refused.count).toBe(value === undefined || value === null ? 0 : 1);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe('a message', () => {
  test('has texts clipped, future times set to now, and unknown fields dropped', () => {
    const long = 'x'.repeat(1_000_000);
    const lesson = readTeaching(
      {
        taskId: 't',
        signatures: [{ ...remembered, type: long, summary: long, hint: long, at: 9e15, extra: nested(10) }],
        answers: [{ ...answer, instruction: long, by: long, option: long, at: 3 }],
      },
      10,
    );
    expect(JSON.stringify(lesson).length).toBeLessThan(6_000);
    expect(lesson.signatures[0]).toMatchObject({ signature, at: 10 });
    expect(lesson.answers[0]?.instruction).toHaveLength(limits.instruction);
    expect(lesson.answers[0]?.at).toBe(3);
    expect(Object.keys(lesson.signatures[0] ?? {})).not.toContain('extra');
  });

  test('with an import is refused above the limits of a project, and taken at the limit', () => {
    const name = (index: number): string => `timeout-${index.toString(16).padStart(8, '0')}`;
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...remembered, signature: name(n) }));
    const code = (payload: unknown): string | undefined => {
      try {
        readImport(payload);
        return undefined;
      } catch (error) {
        return error instanceof HeddleError ? error.code : 'not ours';
      }
    };
    expect(code({ signatures: many(500), answers: [] })).toBeUndefined();
    expect(code({ signatures: many(501), answers: [] })).toBe('MEMORY_TOO_LARGE');
    expect(code({ signatures: [{ ...remembered, hint: 'x'.repeat(300_000) }], answers: [] })).toBe('MEMORY_TOO_LARGE');
    const large = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ signature: name(n), option: 'fix', instruction: 'x'.repeat(3_900) }));
    expect(code({ signatures: [], answers: large(65) })).toBeUndefined();
    expect(code({ signatures: [], answers: large(70) })).toBe('MEMORY_TOO_LARGE');
    expect(code({ signatures: [] })).toBe('MESSAGE_INVALID');
    expect(code(null)).toBe('MESSAGE_INVALID');
  });

  test('carries a state unchanged, or the readable part of a damaged one with a note', () => {
    const lesson = { taskId: 't', signatures: [{ ...remembered, at: 5 }], answers: [{ ...answer, at: 5 }] };
    const state = takeTeaching(newProject('p'), lesson, 10);
    expect(readCarried(own(JSON.stringify(state)), 'p', 10)).toEqual(state);
    const broken = readCarried({ ...state, signatures: [null, ...state.signatures], taught: [5] }, 'p', 10);
    expect(broken).toMatchObject({ signatures: [remembered], answers: [answer], taught: [], refused: { count: 1 } });
    expect(broken.refused.last[0]).toContain('2 of its entries were not read');
    const later = readCarried({ ...state, version: 7 }, 'p', 10);
    expect(later).toMatchObject({ version: 1, signatures: [remembered], refused: { count: 1 } });
    expect(later.refused.last[0]).toContain('of another version');
  });

  test('has a bounded project name, or gets it from the workflow id', () => {
    expect(resolveProjectName({ project: 'website' }, 'project-x')).toBe('website');
    for (const input of [undefined, null, 7, {}, { project: '' }, { project: [] }])
      expect(resolveProjectName(input, 'project-website')).toBe('website');
    expect(resolveProjectName({ project: 'x'.repeat(5_000) }, 'project-x').length).toBeLessThanOrEqual(200);
  });
});

describe('a standing rule about a gate', () => {
  const rule = { signature: 'gate:program:npm install', option: 'approve', by: 'ana' };

  test('is taken from a lesson, listed, exported and imported, carried on, and forgotten', () => {
    const lesson = readTeaching({ taskId: 't', signatures: [], answers: [{ ...rule, at: 5 }] }, 10);
    const state = takeTeaching(newProject('p'), lesson, 10);
    expect(buildMemoryView(state).answers).toEqual([rule]);
    expect(readImport(JSON.parse(JSON.stringify(buildMemoryView(state)))).answers).toEqual([rule]);
    const carried = readCarried(JSON.parse(JSON.stringify(state)), 'p', 20);
    expect(carried).toMatchObject({ answers: [{ ...rule, at: 5 }], refused: { count: 0 } });
    const forgotten = forget(carried, readForget(buildMemoryView(carried), { signature: rule.signature }), 30);
    expect(buildMemoryView(forgotten).answers).toEqual([]);
    // A task that ran meanwhile does not bring it back, nor does the next run of the memory lose that.
    const later = readCarried(JSON.parse(JSON.stringify(forgotten)), 'p', 40);
    expect(buildMemoryView(takeTeaching(later, { ...lesson, taskId: 't2' }, 10)).answers).toEqual([]);
  });
});
