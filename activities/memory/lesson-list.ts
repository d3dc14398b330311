import type { FrozenConfig } from '../../domain/config/layers.ts';
import { isHarmful } from '../../domain/lessons/lesson-book.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import type { LessonView, ListedLesson } from '../../domain/types/basic/lessons.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Store } from '../store/store.ts';

/** The lessons of a project as a task froze them, in the store. */
export interface LessonList {
  lessons: ListedLesson[];
  /** The config for the model that learns; absent where none does. */
  config?: Pick<FrozenConfig, 'models' | 'values'>;
}

/** Builds the list of a task: active lessons that are not too old. */
export function buildLessonList(lessons: readonly LessonView[], expire: number, now: number): LessonList {
  const isFresh = ({ by, helped, at }: LessonView): boolean =>
    by === 'person' || helped > 0 || now - Date.parse(at) < expire;
  const active = lessons.filter((lesson) => lesson.state === 'active' && isFresh(lesson) && !isHarmful(lesson));
  return { lessons: active.map(listLesson) };
}

/** A person's lesson has no balance: only that person takes it back. */
export function listLesson({ id, text, by, from, helped, hurt }: LessonView): ListedLesson {
  const about = from.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
  return { id, text, about, balance: by === 'person' ? null : hurt - helped };
}

/** Reads the list; an empty one where the store has another form of it. */
export async function readLessonList(store: Pick<Store, 'get'>, list: Ref): Promise<LessonList> {
  const stored: unknown = JSON.parse((await store.get(list)).toString());
  return isList(stored) ? stored : { lessons: [] };
}

/** Its bytes are what was stored; this tells a list of another version. */
const isList = (value: unknown): value is LessonList =>
  isPlainObject(value) && Array.isArray(value['lessons']) && value['lessons'].every(isListed);

const isListed = (value: unknown): value is ListedLesson =>
  isPlainObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['text'] === 'string' &&
  Array.isArray(value['about']);
