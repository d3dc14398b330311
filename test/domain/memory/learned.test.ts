// Lessons of a task: its own failures, their fixes, and the part of the memory that it was told.
import { expect, test } from 'vitest';
import {
  addMet,
  learnAnswer,
  learnFailure,
  learnFix,
  buildTeaching,
  answersAt,
  nothingLearned,
  type Fix,
} from '../../../domain/memory/learned.ts';
import { findKnownFix, selectForTask } from '../../../domain/memory/memory.ts';
import { jsonBytes } from '../../../domain/memory/newest.ts';
import type { DecisionAnswer } from '../../../domain/types/decision.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';

const failure = (signature: string, summary = 'it broke') => ({ signature, type: 'tool-failed' as const, summary });
const fix = (given: Partial<Fix>): Fix => ({
  met: [],
  rung: 3,
  guidance: undefined,
  notes: 'done',
  remembered: false,
  at: 2,
  ...given,
});

test('failures are counted, and the success of a subtask explains only those that it met', () => {
  let learned = nothingLearned();
  for (const signature of ['a-00000001', 'a-00000001', 'b-00000002'])
    learned = learnFailure(learned, { failure: failure(signature), at: 1 });
  learned = learnFix(learned, fix({ met: ['a-00000001'], notes: 'used the other file' }));
  expect(learned.signatures).toMatchObject([
    { signature: 'b-00000002', count: 1, fixedAtRung: null, hint: '', at: 1 },
    { signature: 'a-00000001', count: 2, fixedAtRung: 3, hint: 'used the other file', at: 2 },
  ]);
});

test("a person's instruction comes before the program's notes, which do not replace the memory's hint", () => {
  const met = learnFailure(nothingLearned(), { failure: failure('a-00000001'), at: 1 });
  const hintOf = (given: Partial<Fix>) => learnFix(met, fix({ met: ['a-00000001'], ...given })).signatures[0]?.hint;
  expect(hintOf({ guidance: 'split it' })).toBe('split it');
  expect(hintOf({})).toBe('done');
  expect(hintOf({ remembered: true })).toBe('');
  expect(hintOf({ remembered: true, guidance: 'split it' })).toBe('split it');
});

test('a task without a failure or an answer of its own has no lesson', () => {
  expect(buildTeaching('t', learnFix(nothingLearned(), fix({ met: ['a-00000001'] })), '/w')).toBeNull();
});

test("a person's answer in the task is taught, with its time", () => {
  const after = learnAnswer(nothingLearned(), {
    signature: 'a-00000001',
    answer: { decisionId: 'x-1', option: 'retry', scope: 'signature', by: 'ana' },
    at: 7,
  });
  expect(buildTeaching('t', after, '/w')?.answers).toEqual([
    { signature: 'a-00000001', option: 'retry', by: 'ana', at: 7 },
  ]);
});

test('learned items stay within their bounds, in number and in bytes', () => {
  let learned = nothingLearned();
  for (let index = 0; index < 1_000; index += 1) {
    const signature = `a-${String(index).padStart(8, '0')}`;
    learned = learnFailure(learned, { failure: failure(signature, '\u0001'.repeat(2_000)), at: index });
    learned = learnFix(learned, fix({ met: [signature], notes: '漢'.repeat(2_000) }));
    const answer: DecisionAnswer = { decisionId: 'x', option: 'fix', instruction: '漢'.repeat(limits.instruction) };
    learned = learnAnswer(learned, { signature, answer, at: index });
  }
  expect(jsonBytes(learned)).toBeLessThan(2 * limits.memory.told.bytes + 100);
  expect(learned.signatures.at(-1)?.signature).toBe('a-00000999');
  expect(learned.answers.at(-1)?.signature).toBe('a-00000999');
  expect(
    addMet(
      Array.from({ length: 50 }, (_, n) => `s${n}`),
      's3',
    ),
  ).toHaveLength(limits.memory.met);
});

test('a task is told the fixes that can help it, within what it can carry', () => {
  const item = (index: number, fixedAtRung: number | null) => ({
    signature: `a-${String(index).padStart(8, '0')}`,
    type: 't',
    summary: '',
    count: 1,
    fixedAtRung,
    hint: '',
  });
  const signatures = Array.from({ length: 500 }, (_, index) => item(index, index % 2 === 0 ? 3 : null));
  const selected = selectForTask({ project: 'p', signatures, answers: [], lessons: [] });
  expect(selected.signatures).toHaveLength(limits.memory.told.items);
  expect(findKnownFix(selected.signatures, 'a-00000498')).toEqual({ rung: 3 });
  expect(findKnownFix(selected.signatures, 'a-00000499')).toBeUndefined();
});

test('an answer about a gate holds for its folder, an answer about a failure for the project', () => {
  const answer = { decisionId: 'a-1', option: 'approve', by: 'ana' } as const;
  const gate = 'gate:program:npm run test';
  const both = learnAnswer(learnAnswer(nothingLearned(), { signature: gate, answer, at: 1 }), {
    ...{ signature: 'a-00000001', answer: { ...answer, option: 'retry' }, at: 2 },
  });
  const answers = buildTeaching('t', both, '/home/ana/my app')?.answers ?? [];
  expect(answers.map(({ signature }) => signature)).toEqual([`${gate} @ /home/ana/my%20app`, 'a-00000001']);
  const at = (folder: string): string[] => answersAt(answers, folder).map(({ signature }) => signature);
  expect(at('/home/ana/my app')).toEqual([gate, 'a-00000001']);
  expect(at('/home/ana/my')).toEqual(['a-00000001']);
  // Said before answers were bound to a folder: nobody knows to which.
  expect(answersAt([{ signature: gate, option: 'approve' }], '/home/ana/my app')).toEqual([]);
  const long = learnAnswer(nothingLearned(), { signature: `gate:program:${'x'.repeat(380)}`, answer, at: 1 });
  expect(buildTeaching('t', long, '/home/ana/my app')?.answers).toEqual([]);
});
