// The lessons of a project: joined, replaced, counted, retired, bounded; a person's word outlasts them all.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptLesson,
  addLesson,
  ageLessons,
  boundLessons,
  countUses,
  learnLesson,
  rewriteLesson,
} from '../../../domain/lessons/lesson-book.ts';
import { areAlike, buildLessonId, isLessonId, lessonWords } from '../../../domain/lessons/lesson-words.ts';
import { findModelTextProblem, findTextProblem } from '../../../domain/lessons/lesson-text.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { add, rewrite } from '../../../domain/memory/project-lessons.ts';
import { forget, newProject, takeImport, takeTeaching } from '../../../domain/memory/project-state.ts';
import type { LearnedLesson, Lesson } from '../../../domain/types/basic/lessons.ts';
import type { ProjectState } from '../../../domain/types/basic/memory.ts';
import { utf8Length } from '../../../domain/text/text.ts';

const text = 'Give the release notes a heading for each change';

const learned = (given: Partial<LearnedLesson> & { task?: string } = {}): LearnedLesson => {
  const { task = 't1', ...rest } = given;
  const sentence = rest.text ?? text;
  return { id: buildLessonId(sentence), text: sentence, from: { task, subtask: 'notes' }, at: 1, ...rest };
};
const one = (book: readonly Lesson[]): Lesson => {
  expect(book).toHaveLength(1);
  return book[0] ?? expect.fail('no lesson');
};
const used = (book: readonly Lesson[], use: { helped?: number; hurt?: number }): Lesson[] =>
  countUses(book, new Map(book.map(({ id }) => [id, { shown: 1, helped: 0, hurt: 0, ...use }])));

describe('a lesson that is learned again', () => {
  test('is the same one, whatever its case and punctuation', () => {
    const book = learnLesson(
      learnLesson([], learned()),
      learned({ task: 't2', text: `${text.toUpperCase()}!`, at: 9 }),
    );
    expect(one(book)).toMatchObject({ text, at: 9, from: [{ task: 't1' }, { task: 't2' }] });
  });

  test('is joined when nearly all words are the same', () => {
    const near = `${text} today`;
    expect(buildLessonId(near)).not.toBe(buildLessonId(text));
    one(learnLesson(learnLesson([], learned()), learned({ text: near, task: 't2' })));
    expect(learnLesson(learnLesson([], learned()), learned({ text: 'Give the notes a title' }))).toHaveLength(2);
  });

  test('keeps the newest origins alone', () => {
    let book: Lesson[] = [];
    for (let at = 0; at < 10; at += 1) book = learnLesson(book, learned({ task: `t${at}` }));
    expect(one(book).from.map(({ task }) => task)).toEqual(['t7', 't8', 't9']);
  });
});

describe('a candidate', () => {
  const candidate = learnLesson([], learned({ candidate: true }));
  test('stays one when the same task learns it again', () => {
    expect(one(learnLesson(candidate, learned({ candidate: true }))).state).toBe('candidate');
    expect(one(learnLesson(candidate, learned())).state).toBe('candidate');
  });
  test('is active when another task learns the same', () => {
    expect(one(learnLesson(candidate, learned({ task: 't2' }))).state).toBe('active');
  });
  test('is active when a person accepts it', () => {
    expect(one(acceptLesson(candidate, buildLessonId(text), 5)).state).toBe('active');
  });
  test('replaces nothing', () => {
    const old = learnLesson([], learned());
    const book = learnLesson(
      old,
      learned({ text: 'Always run the deploy script', candidate: true, replaces: buildLessonId(text) }),
    );
    expect(book.map(({ state }) => state)).toEqual(['active', 'candidate']);
  });
});

describe('a wrong lesson', () => {
  test('is retired when the failure came again twice, and is not learned again', () => {
    const book = learnLesson([], learned());
    expect(one(used(book, { hurt: 1 })).state).toBe('active');
    const retired = used(used(book, { hurt: 1 }), { hurt: 1 });
    expect(one(retired)).toMatchObject({ state: 'retired', hurt: 2, shown: 2 });
    expect(one(learnLesson(retired, learned({ task: 't9' }))).state).toBe('retired');
  });

  test('lives as long as it helps as often', () => {
    let book = learnLesson([], learned());
    for (let at = 0; at < 20; at += 1) book = used(book, at % 2 === 0 ? { hurt: 1 } : { helped: 1 });
    expect(one(book)).toMatchObject({ state: 'active', helped: 10, hurt: 10 });
  });

  test('is retired by a better one, unless a person wrote it', () => {
    const better = learned({ text: 'Write one section for each merged change', replaces: buildLessonId(text) });
    expect(learnLesson(learnLesson([], learned()), better).map(({ state }) => state)).toEqual(['retired', 'active']);
    expect(learnLesson(addLesson([], text, 1), better).map(({ state }) => state)).toEqual(['active', 'active']);
  });

  test('of a person stays until that person forgets it', () => {
    let book = addLesson([], text, 1);
    for (let at = 0; at < 10; at += 1) book = ageLessons(used(book, { hurt: 1 }), { now: 1e15, expire: 1 });
    expect(one(book)).toMatchObject({ state: 'active', by: 'person', hurt: 10 });
  });
});

describe('a lesson that never helped', () => {
  const book = learnLesson([], learned({ at: 0 }));
  const rules = { now: 10, expire: 1_000 };
  test('is retired after 20 tasks, and is news again when another task learns it', () => {
    let aged: Lesson[] = book;
    for (let at = 1; at < limits.lessons.idleTasks; at += 1) aged = ageLessons(aged, rules);
    expect(one(aged).state).toBe('active');
    aged = ageLessons(aged, rules);
    expect(one(aged).state).toBe('retired');
    expect(one(learnLesson(aged, learned({ task: 't2' })))).toMatchObject({ state: 'active', idle: 0 });
  });
  test('is retired at its age', () => {
    expect(one(ageLessons(book, { now: 999, expire: 1_000 })).state).toBe('active');
    expect(one(ageLessons(book, { now: 1_000, expire: 1_000 })).state).toBe('retired');
  });
  test('grows no older once it helped', () => {
    const helped = ageLessons(used(book, { helped: 1 }), { now: 1e15, expire: 1 });
    expect(one(helped)).toMatchObject({ state: 'active', idle: 0 });
  });
});

test('the uses of a lesson in the task that learned it count too', () => {
  const uses = { [buildLessonId(text)]: { shown: 2, helped: 1, hurt: 1 } };
  const teaching = { taskId: 't1', signatures: [], answers: [], lessons: [learned()], uses, expire: 1e9 };
  const state = takeTeaching(newProject('p'), teaching, 5);
  expect(one(state.lessons)).toMatchObject({ shown: 2, helped: 1, hurt: 1, idle: 0 });
  expect(one(takeTeaching(state, { ...teaching, taskId: 't2', lessons: [] }, 6).lessons)).toMatchObject({ shown: 4 });
});

test('a corrected text keeps its id, so that the old text is not learned beside it', () => {
  const id = buildLessonId(text);
  const book = rewriteLesson(learnLesson([], learned()), id, 'Give the notes two headings at most', 3);
  expect(one(book)).toMatchObject({ id, by: 'person', text: 'Give the notes two headings at most' });
  expect(one(learnLesson(book, learned({ task: 't2' }))).text).toBe('Give the notes two headings at most');
});

describe('room for lessons', () => {
  const bytes = (book: readonly Lesson[]): number => utf8Length(JSON.stringify(book));
  test('holds for a thousand lessons of any size', () => {
    let state: ProjectState = newProject('p');
    for (let at = 0; at < 1_000; at += 1) {
      const sentence = `Lesson ${at} ${'漢'.repeat(at % 200)}`;
      const lessons = [learned({ text: sentence, task: `t${at}`, at })];
      state = takeTeaching(state, { taskId: `t${at}`, signatures: [], answers: [], lessons }, at);
    }
    expect(state.lessons.length).toBeLessThanOrEqual(limits.lessons.kept.items);
    expect(bytes(state.lessons)).toBeLessThanOrEqual(limits.lessons.kept.bytes + 2);
    expect(state.lessons.at(-1)?.text).toContain('Lesson 999');
  });

  test('is made by retired lessons first, then by those that helped least, then by the oldest', () => {
    const book = Array.from({ length: 201 }, (_, at) => ({
      ...one(learnLesson([], learned({ text: `Number ${at} of these`, at }))),
      helped: at === 0 ? 1 : 5,
    }));
    const dropped = (given: readonly Lesson[]): string[] => {
      const kept = boundLessons(given);
      return given.filter((lesson) => !kept.includes(lesson)).map((lesson) => lesson.text);
    };
    expect(dropped(book)).toEqual(['Number 0 of these']);
    expect(dropped(book.map((lesson, at) => (at === 7 ? { ...lesson, state: 'retired' as const } : lesson)))).toEqual([
      'Number 7 of these',
    ]);
    expect(dropped(book.map((lesson) => ({ ...lesson, helped: 2 })))).toEqual(['Number 0 of these']);
  });

  test("is never made by a person's lesson, so the next one is refused", () => {
    let state: ProjectState = newProject('p');
    for (let at = 0; at < 200; at += 1) state = add(state, `Own lesson number ${at}`, at);
    const lessons = [learned({ text: 'Another one of a model' })];
    const after = takeTeaching(state, { taskId: 't', signatures: [], answers: [], lessons }, 300);
    expect(after.lessons.every(({ by }) => by === 'person')).toBe(true);
    expect(() => add(state, 'One more', 300)).toThrow(expect.objectContaining({ code: 'MEMORY_TOO_LARGE' }));
    expect(rewrite(state, state.lessons[3]?.id ?? '', 'Changed', 301).lessons).toHaveLength(200);
  });
});

describe('a forgotten lesson', () => {
  const taught = (taskId: string, at: number) => ({
    taskId,
    signatures: [],
    answers: [],
    lessons: [learned({ task: taskId, at })],
  });
  const state = forget(takeTeaching(newProject('p'), taught('a', 1), 1), buildLessonId(text), 5);
  test('does not come back with a task that ran meanwhile, nor with a later one', () => {
    expect(takeTeaching(state, taught('b', 4), 9).lessons).toEqual([]);
    expect(takeTeaching(state, taught('c', 99), 100).lessons).toEqual([]);
    const uses = { [buildLessonId(text)]: { shown: 1, helped: 1, hurt: 0 } };
    expect(takeTeaching(state, { taskId: 'd', signatures: [], answers: [], uses }, 9).lessons).toEqual([]);
  });
  test('comes back when a person adds or imports it', () => {
    expect(one(add(state, text, 6).lessons).by).toBe('person');
    expect(one(takeTeaching(add(state, text, 6), taught('b', 7), 7).lessons).state).toBe('active');
    const lesson = one(learnLesson([], learned()));
    expect(one(takeImport(state, { signatures: [], answers: [], lessons: [lesson] }, 6).lessons).at).toBe(6);
  });
});

describe('the text of a lesson', () => {
  test.each([
    'See https://example.org for the form',
    'Send it to www.example.org first',
    'Write the result to /etc/passwd',
    'Keep ~/notes in mind',
    'Look into C:\\Users first',
    'Close the </lessons> tag',
    'Use ```sh for code',
    'Write \u202enotes\u202c',
    'Mind the\u200b gap',
    'Two\nlines',
    `Use the key ${'a1B2'.repeat(10)}`,
    'Ask 10.0.0.1 for it',
    'Mail ana@example.org',
    'x'.repeat(241),
    ' ',
  ])('of a model may not be %j', (given) => {
    expect(findModelTextProblem(given)).toBeDefined();
  });

  test.each(['Write NOTES.md before the tests run', 'Split src/app.ts: it is too long', '先に測る', "Don't use tabs"])(
    'of a model may be %j',
    (given) => {
      expect(findModelTextProblem(given)).toBeUndefined();
    },
  );

  test('of a person may name paths, and has at most 240 characters', () => {
    expect(findTextProblem('Read /srv/data first')).toBeUndefined();
    expect(findTextProblem('x'.repeat(240))).toBeUndefined();
    expect(findTextProblem('x'.repeat(241))).toContain('240');
  });
});

test('any text has an id that no signature has, and is like itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (given) => {
      expect(isLessonId(buildLessonId(given))).toBe(true);
      const split = { text: given, words: new Set(lessonWords(given)) };
      expect(areAlike(split, split)).toBe(true);
    }),
  );
});
