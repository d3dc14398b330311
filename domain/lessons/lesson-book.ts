import { limits } from '../limits/domain-limits.ts';
import { clip, utf8Length } from '../text/text.ts';
import type { LearnedLesson, Lesson, LessonOrigin, LessonUse } from '../types/basic/lessons.ts';
import { areAlike, buildLessonId, lessonWords, type SplitText } from './lesson-words.ts';

/*
 * The lessons of a project, oldest first. A lesson that a model wrote dies by what happened after it was shown, by a better one, by age, or
 * by a person; a person's own lesson only by that person. All functions return a new list and never change a lesson in place.
 */

/** A lesson never changes in place, so its words and its size are computed once. */
const knownFacts = new WeakMap<Lesson, SplitText & { bytes: number }>();

function facts(lesson: Lesson): SplitText & { bytes: number } {
  const before = knownFacts.get(lesson);
  if (before !== undefined) return before;
  const { text } = lesson;
  const computed = { text, words: new Set(lessonWords(text)), bytes: utf8Length(JSON.stringify(lesson)) };
  knownFacts.set(lesson, computed);
  return computed;
}

/** Adds what a task learned. The same lesson is joined: its origins grow, and the word of a second task makes a candidate active. */
export function learnLesson(book: readonly Lesson[], learned: LearnedLesson): Lesson[] {
  const { text, from, at, replaces } = learned;
  const candidate: boolean = learned.candidate ?? false;
  const split = { text, words: new Set(lessonWords(text)) };
  const same = book.find((lesson) => lesson.id === learned.id || areAlike(facts(lesson), split));
  if (same !== undefined) return replaceLesson(book, same, join(same, learned));
  const lesson: Lesson = {
    ...{ id: buildLessonId(text), text, by: 'model', from: [from], at },
    ...{ shown: 0, helped: 0, hurt: 0, idle: 0 },
    state: candidate ? 'candidate' : 'active',
  };
  const older = candidate ? undefined : book.find(({ id, by }) => id === replaces && by === 'model');
  const rest = older === undefined ? book : replaceLesson(book, older, retire(older, `replaced by ${lesson.id}`));
  return [...rest, lesson];
}

function join(lesson: Lesson, { from, at, candidate }: LearnedLesson): Lesson {
  const isOther = lesson.from.every(({ task }) => task !== from.task);
  const joined = { ...lesson, from: addOrigin(lesson.from, from), at: Math.max(lesson.at, at) };
  if (lesson.state === 'candidate') return isOther ? { ...joined, state: 'active' } : joined;
  // A lesson that was only too old is news again; a lesson that did harm, or that a better one replaced, is not.
  if (lesson.state !== 'retired' || lesson.why !== tooOld || !isOther) return joined;
  return { ...withoutReason(joined), state: candidate === true ? 'candidate' : 'active', idle: 0 };
}

function withoutReason(lesson: Lesson): Lesson {
  const kept = { ...lesson };
  delete kept.why;
  return kept;
}

function addOrigin(origins: readonly LessonOrigin[], origin: LessonOrigin): LessonOrigin[] {
  const isOther = ({ task, subtask }: LessonOrigin): boolean => task !== origin.task || subtask !== origin.subtask;
  return [...origins.filter(isOther), origin].slice(-limits.lessons.origins);
}

/** Counts how the lessons of one task did, and retires those that did harm. */
export function countUses(book: readonly Lesson[], uses: ReadonlyMap<string, LessonUse>): Lesson[] {
  return book.map((lesson) => {
    const use = uses.get(lesson.id);
    if (use === undefined) return lesson;
    const counted = {
      ...lesson,
      shown: lesson.shown + use.shown,
      helped: lesson.helped + use.helped,
      hurt: lesson.hurt + use.hurt,
    };
    return isHarmful(counted) && lesson.state !== 'retired' ? retire(counted, harmful) : counted;
  });
}

/** Decides if a lesson of a model failed too often. */
export const isHarmful = ({ by, hurt, helped }: Pick<Lesson, 'by' | 'hurt' | 'helped'>): boolean =>
  by === 'model' && hurt - helped >= limits.lessons.retireAt;

const harmful = 'the failure that it is about came again after it was shown';
const tooOld = 'it has helped nobody for too long';

/** Ages the lessons that have never helped by one task, and retires those that are too old. */
export function ageLessons(book: readonly Lesson[], { now, expire }: { now: number; expire: number }): Lesson[] {
  return book.map((lesson) => {
    if (lesson.by === 'person' || lesson.helped > 0 || lesson.state === 'retired') return lesson;
    const aged = { ...lesson, idle: lesson.idle + 1 };
    const isOld = aged.idle >= limits.lessons.idleTasks || now - lesson.at >= expire;
    return isOld ? retire(aged, tooOld) : aged;
  });
}

const retire = (lesson: Lesson, why: string): Lesson => ({
  ...lesson,
  state: 'retired',
  why: clip(why, limits.lessons.why),
});

/** Adds a person's lesson: it is active at once. The same lesson of a model becomes the person's. */
export function addLesson(book: readonly Lesson[], text: string, at: number): Lesson[] {
  const id = buildLessonId(text);
  const same = book.find((lesson) => lesson.id === id);
  if (same !== undefined) return replaceLesson(book, same, { ...revive(same, at), text, by: 'person' });
  const counts = { shown: 0, helped: 0, hurt: 0, idle: 0 };
  return [...book, { id, text, by: 'person', from: [], at, ...counts, state: 'active' }];
}

/** A person accepts a candidate, or takes a retired lesson back. */
export function acceptLesson(book: readonly Lesson[], id: string, at: number): Lesson[] {
  const lesson = book.find((one) => one.id === id);
  return lesson === undefined ? [...book] : replaceLesson(book, lesson, revive(lesson, at));
}

/** A lesson that was active keeps its counts; a lesson that comes back begins without them. */
function revive(lesson: Lesson, at: number): Lesson {
  if (lesson.state === 'active') return { ...lesson, at };
  return { ...withoutReason(lesson), at, state: 'active', shown: 0, helped: 0, hurt: 0, idle: 0 };
}

/** A person corrects the text. The id stays, so that the old text does not come back as another lesson. */
export function rewriteLesson(book: readonly Lesson[], id: string, text: string, at: number): Lesson[] {
  const lesson = book.find((one) => one.id === id);
  return lesson === undefined ? [...book] : replaceLesson(book, lesson, { ...revive(lesson, at), text, by: 'person' });
}

const replaceLesson = (book: readonly Lesson[], old: Lesson, lesson: Lesson): Lesson[] => [
  ...book.filter((one) => one !== old),
  lesson,
];

/** One more byte for the comma. */
const bytesOf = (lesson: Lesson): number => facts(lesson).bytes + 1;

/** Decides if the list may be kept as it is. */
const fits = (count: number, bytes: number): boolean =>
  count <= limits.lessons.kept.items && bytes <= limits.lessons.kept.bytes;

/** Decides if the lessons of people fit: only those never go to make room. */
export function fitsPeople(book: readonly Lesson[]): boolean {
  const own = book.filter(({ by }) => by === 'person');
  return fits(
    own.length,
    own.reduce((sum, lesson) => sum + bytesOf(lesson), 0),
  );
}

/** Makes room: retired lessons go first, then those that helped least, then the oldest. */
export function boundLessons(book: readonly Lesson[]): Lesson[] {
  let count = book.length;
  let bytes = book.reduce((sum, lesson) => sum + bytesOf(lesson), 0);
  if (fits(count, bytes)) return [...book];
  const dropped = new Set<Lesson>();
  const removable = book.filter(({ by }) => by === 'model').sort(byWorth);
  for (const lesson of removable) {
    if (fits(count, bytes)) break;
    dropped.add(lesson);
    count -= 1;
    bytes -= bytesOf(lesson);
  }
  return book.filter((lesson) => !dropped.has(lesson));
}

const byWorth = (a: Lesson, b: Lesson): number => rank(a) - rank(b) || worth(a) - worth(b) || a.at - b.at;

const rank = ({ state }: Lesson): number => (state === 'retired' ? 0 : 1);
const worth = ({ helped, hurt }: Lesson): number => helped - hurt;
