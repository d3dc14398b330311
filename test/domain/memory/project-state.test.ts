// The memory of a project as a value: whose word wins, what stays forgotten, and that it stays within its bounds whatever comes.
import { describe, expect, test } from 'vitest';
import { describeMemory } from '../../../domain/memory/describe.ts';
import { learnAnswer, learnFailure, learnFix, buildTeaching, nothingLearned } from '../../../domain/memory/learned.ts';
import { jsonBytes } from '../../../domain/memory/newest.ts';
import {
  changed,
  correct,
  forget,
  buildMemoryView,
  newProject,
  recordRefusal,
  takeImport,
  takeTeaching as takeAt,
} from '../../../domain/memory/project-state.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { OptionId } from '../../../domain/types/decision.ts';
import type {
  Dated,
  Learned,
  Teaching,
  ProjectState,
  RememberedSignature,
} from '../../../domain/types/basic/memory.ts';

const signature = 'timeout-1a2b3c4d5e6f7a8b';
const answered = (option: OptionId, at: number): Learned =>
  learnAnswer(nothingLearned(), { signature, answer: { decisionId: 'a-1', option }, at });
const takeTeaching = (state: ProjectState, teaching: Teaching): ProjectState => takeAt(state, teaching, 10_000);

const lesson = (taskId: string, learned: Learned): Teaching =>
  buildTeaching(taskId, learned, '/w') ?? { taskId, signatures: [], answers: [] };
const met = (at: number): Learned =>
  learnFailure(nothingLearned(), { failure: { signature, type: 'timeout', summary: 'too slow' }, at });
const fixedAt = (rung: number, at: number): Learned =>
  learnFix(met(at), { met: [signature], rung, guidance: undefined, notes: `rung ${rung}`, remembered: false, at });

const optionIn = (state: ProjectState): string | undefined => buildMemoryView(state).answers[0]?.option;

describe('a standing answer that changed in the project while a task ran', () => {
  const start = takeTeaching(newProject('p'), lesson('before', answered('skip', 10)));
  const forgotten = (state: ProjectState): ProjectState => forget(state, signature, 20);
  const replaced = (state: ProjectState): ProjectState => takeTeaching(state, lesson('other', answered('abort', 20)));
  const imported = (state: ProjectState): ProjectState =>
    takeImport(state, { signatures: [], answers: [{ signature, option: 'abort' }], lessons: [] }, 20);
  test.each([
    ['inherited only', 'forgotten', forgotten, nothingLearned(), undefined],
    ['inherited only', 'changed by another task', replaced, nothingLearned(), 'abort'],
    ['inherited only', 'changed by an import', imported, nothingLearned(), 'abort'],
    ['told before', 'forgotten', forgotten, answered('retry', 15), undefined],
    ['told before', 'changed by another task', replaced, answered('retry', 15), 'abort'],
    ['told before', 'changed by an import', imported, answered('retry', 15), 'abort'],
    ['told in the same instant', 'forgotten', forgotten, answered('retry', 20), undefined],
    ['told after', 'forgotten', forgotten, answered('retry', 25), 'retry'],
    ['told after', 'changed by another task', replaced, answered('retry', 25), 'retry'],
    ['told after', 'changed by an import', imported, answered('retry', 25), 'retry'],
  ])('keeps the later one: %s, %s', (_, _how, change, learned, expected) => {
    expect(optionIn(takeTeaching(change(start), lesson('ran-meanwhile', learned)))).toBe(expected);
  });

  test('stays out when it is older, also after a later one has replaced the forgotten one', () => {
    const again = takeTeaching(forgotten(start), lesson('later', answered('retry', 30)));
    expect(optionIn(takeTeaching(again, lesson('older', answered('skip', 15))))).toBe('retry');
  });

  test('is brought back by an import, which counts as a statement of now', () => {
    expect(optionIn(imported(forgotten(start)))).toBe('abort');
  });
});

describe('failures and their fixes', () => {
  const one = (state: ProjectState) => buildMemoryView(state).signatures[0];

  test('stay forgotten for a task that met them before, and are new for a task that met them after', () => {
    const state = forget(takeTeaching(newProject('p'), lesson('a', fixedAt(3, 10))), signature, 20);
    expect(buildMemoryView(takeTeaching(state, lesson('b', fixedAt(3, 15)))).signatures).toEqual([]);
    expect(one(takeTeaching(state, lesson('b', fixedAt(4, 25))))).toMatchObject({ fixedAtRung: 4 });
  });

  test("keep a person's correction over what a task learned before, which still counts", () => {
    const state = correct(newProject('p'), { signature, rung: 4, hint: 'split it' }, 20);
    const after = takeTeaching(state, lesson('a', fixedAt(3, 15)));
    expect(one(after)).toMatchObject({ fixedAtRung: 4, hint: 'split it', count: 1, summary: 'too slow' });
    expect(one(takeTeaching(state, lesson('a', fixedAt(3, 25))))).toMatchObject({ fixedAtRung: 3, hint: 'rung 3' });
  });

  test('do not hide the rung that another task found when they were never fixed', () => {
    const state = takeTeaching(newProject('p'), lesson('a', fixedAt(3, 10)));
    expect(one(takeTeaching(state, lesson('b', met(20))))).toMatchObject({ fixedAtRung: 3, hint: 'rung 3', count: 2 });
  });

  test('count once when a lesson is sent again', () => {
    const state = takeTeaching(newProject('p'), lesson('a', fixedAt(3, 10)));
    expect(takeTeaching(state, lesson('a', fixedAt(3, 11)))).toBe(state);
  });
});

describe('bounds', () => {
  /** Six bytes a character as JSON. */
  const worst = (characters: number): string => '\u0001'.repeat(characters);
  const name = (index: number): string => `timeout-${index.toString(16).padStart(8, '0')}`;
  const full = (): ProjectState => {
    let state = newProject(worst(200));
    for (let task = 0; task < 30; task += 1) {
      const signatures = Array.from({ length: 100 }, (_, index): Dated<RememberedSignature> => ({
        signature: name(task * 100 + index),
        type: worst(60),
        summary: worst(limits.summary),
        count: limits.memory.count,
        fixedAtRung: 20,
        hint: worst(limits.memory.hint),
        at: task,
      }));
      const answers = signatures.map((item) => ({
        signature: item.signature,
        option: worst(100),
        instruction: worst(limits.instruction),
        by: worst(200),
        at: task,
      }));
      state = takeTeaching(state, { taskId: `${worst(990)}${task}`, signatures, answers });
    }
    for (let index = 0; index < 1_000; index += 1)
      state = recordRefusal(forget(state, name(index), 100), worst(10_000));
    return state;
  };

  test('keep the state small enough for a payload, whatever is learned, forgotten and refused', () => {
    const state = full();
    const { remembered } = limits.memory;
    expect(jsonBytes(state.signatures)).toBeLessThanOrEqual(remembered.bytes + 2);
    expect(jsonBytes(state.answers)).toBeLessThanOrEqual(remembered.bytes + 2);
    expect(jsonBytes(state)).toBeLessThan(700 * 1024);
    expect(jsonBytes(buildMemoryView(state))).toBeLessThan(530 * 1024);
    expect(state.signatures.at(-1)?.signature).toBe(name(2_999));
    expect(state.answers.at(-1)?.signature).toBe(name(2_999));
    expect(state.forgotten).toHaveLength(limits.memory.forgotten.items);
    expect(state.forgotten.at(-1)?.signature).toBe(name(999));
    expect(state.taught.length).toBeLessThanOrEqual(limits.memory.taught.items);
    expect(state.refused).toMatchObject({ count: 1_000 });
    expect(state.refused.last).toHaveLength(limits.memory.refused);
    expect(jsonBytes(changed(state))).toBeLessThan(2_000);
  });

  test('hold short texts by number, and drop the least recently seen', () => {
    let state = newProject('p');
    const seen = (index: number, at: number): Teaching => ({
      taskId: `t${at}`,
      signatures: [{ signature: name(index), type: 'timeout', summary: '', count: 1, fixedAtRung: null, hint: '', at }],
      answers: [],
    });
    for (let index = 0; index < limits.memory.remembered.items; index += 1)
      state = takeTeaching(state, seen(index, index));
    state = takeTeaching(state, seen(0, 1_000));
    state = takeTeaching(state, seen(5_000, 1_001));
    const names = state.signatures.map((item) => item.signature);
    expect(names).toHaveLength(limits.memory.remembered.items);
    expect(names).toContain(name(0));
    expect(names).not.toContain(name(1));
  });

  test('keep the current details short, with refusals and without HTML or Markdown of others', () => {
    const hostile = '<img src=x onerror=alert(1)> [a](http://b) **bold** | # ~';
    let state = newProject(hostile);
    for (let index = 0; index < 20; index += 1)
      state = correct(state, { signature: name(index), hint: hostile.repeat(8) }, index);
    state = recordRefusal(state, `learn: ${hostile}`);
    const text = describeMemory(state);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(limits.currentDetails);
    expect(text).toContain('1 message could not be applied');
    expect(text).toContain(name(19));
    expect(text).not.toMatch(/<|[^\\]\[|[^*\\]\*\*b/);
    expect(new TextEncoder().encode(describeMemory(full())).length).toBeLessThanOrEqual(limits.currentDetails);
  });
});
