import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { PromptContext } from '../../domain/types/attempt.ts';
import type { LessonContext, ListedLesson, ShownLesson } from '../../domain/types/basic/lessons.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import type { Store } from '../store/store.ts';
import { readLessonList } from './lesson-list.ts';

/** Words that a text and a lesson have to share. */
const leastWords = 2;

/** Characters of a text that are searched for. */
const longestQuery = 8_000;

/** Chooses the lessons that fit a text best. Nothing where a task has none; an unreadable list is no reason to fail an attempt. */
export async function recallLessons(
  store: Pick<Store, 'get'>,
  context: LessonContext | undefined,
  query: { text: string; most: number },
): Promise<ListedLesson[]> {
  const candidates = await listLessons(store, context);
  if (candidates.length === 0 || query.most === 0) return [];
  const { TextIndex } = await import('./search-texts.ts');
  const byId = new Map(candidates.map((lesson) => [lesson.id, lesson]));
  const ids = new TextIndex(candidates).search(query.text.slice(0, longestQuery), leastWords);
  return ids.flatMap((id) => byId.get(id) ?? []).slice(0, query.most);
}

/** Lists the lessons that may be shown: none whose failures outnumber its successes by now. */
async function listLessons(store: Pick<Store, 'get'>, context: LessonContext | undefined): Promise<ListedLesson[]> {
  if (context === undefined) return [];
  const { list, learned = [], balances = {} } = context;
  const lessons = list === undefined ? [] : await readFrozen(store, list);
  const isFit = ({ id, balance }: ListedLesson): boolean =>
    balance === null || balance + (balances[id] ?? 0) < limits.lessons.retireAt;
  return [...lessons, ...learned].filter(isFit);
}

/** Lessons are advice: a list that the store does not have counts as empty. Trouble of the disk passes, and is thrown. */
const readFrozen = (store: Pick<Store, 'get'>, list: Ref): Promise<ListedLesson[]> =>
  readLessonList(store, list).then(
    ({ lessons }) => lessons,
    (error: unknown) => {
      if (error instanceof HeddleError) return [];
      throw error;
    },
  );

/** The lessons for an attempt, chosen by its task text and its last failure. */
export function recallForAttempt(
  store: Pick<Store, 'get'>,
  { goal, subtask, context }: { goal: string; subtask: Subtask; context: PromptContext },
): Promise<ListedLesson[]> {
  const failures = context.retry?.failures ?? [];
  const text = [
    ...[...failures].reverse().map(({ failure }) => failure.summary),
    ...[subtask.description, ...subtask.criteria, ...subtask.requiredSections, ...subtask.deliverables],
    ...[subtask.role ?? '', goal],
  ].join('\n');
  return recallLessons(store, context.lessons, { text, most: context.lessons?.recall ?? 0 });
}

/** The part of a lesson that the record of an attempt keeps. */
export const listShown = (lessons: readonly ShownLesson[]): ShownLesson[] =>
  lessons.map(({ id, about }) => ({ id, about }));
