import { limits } from '../limits/domain-limits.ts';
import type { LessonsState, TaskState } from '../task/state.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { Teaching } from '../types/basic/memory.ts';
import type { LearnedLesson, LessonContext, ListedLesson } from '../types/basic/lessons.ts';

/** The lessons that a prompt may show; undefined where there are none. References and numbers: the list is in the store. */
export function buildLessonContext({ plan: { settings }, log: { lessons } }: TaskState): LessonContext | undefined {
  const frozen = settings?.lessons;
  const learned = (lessons?.learned ?? []).filter(({ candidate }) => candidate !== true);
  if (frozen === undefined || frozen.recall === 0 || (frozen.hasActive !== true && learned.length === 0))
    return undefined;
  return {
    ...pickLearned(lessons, learned),
    ...(frozen.hasActive === true ? { list: frozen.list } : {}),
    recall: frozen.recall,
  };
}

/** The lessons that a model is shown that learns new ones, and the place of its config; undefined where no model learns. */
export function buildExtractionContext({
  plan: { settings },
  log: { lessons },
}: TaskState): (LessonContext & { list: Ref }) | undefined {
  const frozen = settings?.lessons;
  if (frozen?.extracts !== true) return undefined;
  const learned = (lessons?.learned ?? []).filter(({ candidate }) => candidate !== true);
  return { ...pickLearned(lessons, learned), list: frozen.list, recall: frozen.recall };
}

function pickLearned(
  lessons: LessonsState | undefined,
  learned: readonly LearnedLesson[],
): Pick<LessonContext, 'learned' | 'balances'> {
  const balances = Object.entries(lessons?.uses ?? {}).flatMap(([id, { helped, hurt }]) =>
    hurt > helped ? [[id, hurt - helped] as const] : [],
  );
  // A lesson that a better one of this task corrects is not shown beside it.
  for (const { replaces } of learned) if (replaces !== undefined) balances.push([replaces, limits.lessons.retireAt]);
  return {
    ...(learned.length === 0 ? {} : { learned: learned.map(listLearned) }),
    ...(balances.length === 0 ? {} : { balances: Object.fromEntries(balances) }),
  };
}

const listLearned = ({ id, text, from: { signature } }: LearnedLesson): ListedLesson => ({
  ...{ id, text, balance: 0 },
  about: signature === undefined ? [] : [signature],
});

/** Lists what the task tells its project about lessons at its end: lessons grow older also where none was shown. */
export function teachLessons({
  plan: { settings },
  log: { lessons },
}: TaskState): Pick<Teaching, 'lessons' | 'uses' | 'expire'> {
  const learned = lessons?.learned ?? [];
  if (settings?.lessons === undefined || (settings.lessons.hasActive !== true && learned.length === 0)) return {};
  return {
    ...(learned.length === 0 ? {} : { lessons: learned }),
    uses: lessons?.uses ?? {},
    expire: settings.lessons.expire,
  };
}
