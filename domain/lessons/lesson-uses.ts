import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { LessonUse, ShownLesson } from '../types/basic/lessons.ts';
import { getOwn, setOwn } from '../util/own-property.ts';

/** Counts of lessons in one task, by their ids. */
export type LessonUses = Record<string, LessonUse>;

type Ended = Pick<AttemptRecord, 'lessons' | 'failure'>;

/** An attempt has ended: each lesson that it was shown counts once, and counts as harm where the failure that it is about came again. */
export const countShown = (uses: LessonUses, { lessons = [], failure }: Ended): LessonUses =>
  lessons.reduce((counted, lesson) => {
    const hurt = failure !== null && isAbout(lesson, failure) ? 1 : 0;
    return countUse(counted, lesson.id, { shown: 1, helped: 0, hurt });
  }, uses);

/** A person did not accept a result whose attempt has been counted. */
export const countRejected = (uses: LessonUses, { lessons = [], failure }: Ended): LessonUses =>
  lessons
    .filter((lesson) => failure !== null && isAbout(lesson, failure))
    .reduce((counted, { id }) => countUse(counted, id, { shown: 0, helped: 0, hurt: 1 }), uses);

/** The attempt completed its subtask. Only a result that was checked and passed says that its lessons helped. */
export function countHelped(
  uses: LessonUses,
  { lessons = [] }: Pick<AttemptRecord, 'lessons'>,
  verdict: AttemptRecord['verdict'],
): LessonUses {
  if (verdict !== 'pass' && verdict !== 'pass-with-warnings') return uses;
  return lessons.reduce((counted, { id }) => countUse(counted, id, { shown: 0, helped: 1, hurt: 0 }), uses);
}

/** The same signature, or the same type where no signature is known. A lesson about no failure is blamed for any failure of quality. */
function isAbout({ about }: ShownLesson, { signature, type, category }: Failure): boolean {
  if (about.length === 0) return category === 'quality';
  return about.some((one) => one === signature || one === type);
}

const unused: LessonUse = { shown: 0, helped: 0, hurt: 0 };

function countUse(uses: LessonUses, id: string, more: LessonUse): LessonUses {
  const { shown, helped, hurt } = getOwn(uses, id) ?? unused;
  const counted = { ...uses };
  setOwn(counted, id, { shown: shown + more.shown, helped: helped + more.helped, hurt: hurt + more.hurt });
  return counted;
}
