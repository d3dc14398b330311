import { HeddleError } from '../errors/heddle-error.ts';
import {
  acceptLesson,
  addLesson,
  ageLessons,
  countUses,
  fitsPeople,
  learnLesson,
  rewriteLesson,
} from '../lessons/lesson-book.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Lesson, LessonView } from '../types/basic/lessons.ts';
import type { ProjectState, Teaching } from '../types/basic/memory.ts';
import { bounded } from './bounded.ts';

/** Shows a lesson to people. */
export const viewLesson = ({ id, text, by, from, at, shown, helped, hurt, state, why }: Lesson): LessonView => ({
  ...{ id, text, by, from, shown, helped, hurt, state },
  ...(why === undefined ? {} : { why }),
  at: new Date(at).toISOString(),
});

/** A lesson that a person forgot does not come back, whenever it was learned: it was wrong, not old. */
export function takeLessons(state: ProjectState, { lessons = [], uses = {}, expire }: Teaching, now: number): Lesson[] {
  const forgotten = new Set(state.forgotten.map(({ signature }) => signature));
  const before = new Set(state.lessons.map(({ id }) => id));
  const own = Object.entries(uses);
  const counted = countUses(state.lessons, new Map(own));
  const aged = expire === undefined ? counted : ageLessons(counted, { now, expire });
  const learned = lessons.filter(({ id }) => !forgotten.has(id)).reduce<Lesson[]>(learnLesson, aged);
  // Later subtasks of the task were shown what it had just learned.
  return countUses(learned, new Map(own.filter(([id]) => !before.has(id))));
}

/** Adds a person's lesson, which lifts that it was forgotten. */
export function add(state: ProjectState, text: string, at: number): ProjectState {
  const lessons = addLesson(state.lessons, text, at);
  const forgotten = state.forgotten.filter(({ signature }) => signature !== lessons.at(-1)?.id);
  return bounded(withPeople({ ...state, forgotten }, lessons));
}

/** A person accepts a lesson. */
export const accept = (state: ProjectState, id: string, at: number): ProjectState => ({
  ...state,
  lessons: acceptLesson(state.lessons, id, at),
});

/** A person corrects the text of a lesson. */
export const rewrite = (state: ProjectState, id: string, text: string, at: number): ProjectState =>
  bounded(withPeople(state, rewriteLesson(state.lessons, id, text, at)));

/** A person's lesson never goes to make room, so one that finds no room is refused. */
export function withPeople(state: ProjectState, lessons: Lesson[]): ProjectState {
  if (fitsPeople(lessons)) return { ...state, lessons };
  const { items, bytes } = limits.lessons.kept;
  throw new HeddleError({
    code: 'MEMORY_TOO_LARGE',
    message: `${state.project} keeps ${items} lessons or ${bytes / 1024} KiB of them, and people wrote so many`,
    hint: 'Forget one with `heddle memory forget PROJECT ID`.',
  });
}
