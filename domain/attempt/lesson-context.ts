import type { TaskState } from '../task/state.ts';
import type { Teaching } from '../types/basic/memory.ts';
import type { LessonContext } from '../types/basic/lessons.ts';

/** The lessons that a prompt may show; undefined where there are none. A reference and small numbers: the list is in the store. */
export function buildLessonContext({ plan: { settings }, log: { lessons } }: TaskState): LessonContext | undefined {
  const frozen = settings?.lessons;
  if (frozen === undefined || frozen.recall === 0) return undefined;
  const { recall } = frozen;
  if (frozen.hasActive !== true) return undefined;
  const balances = Object.entries(lessons?.uses ?? {}).flatMap(([id, { helped, hurt }]) =>
    hurt > helped ? [[id, hurt - helped] as const] : [],
  );
  return {
    list: frozen.list,
    recall,
    ...(balances.length === 0 ? {} : { balances: Object.fromEntries(balances) }),
  };
}

/** Lists what the task tells its project about lessons at its end: lessons grow older also where none was shown. */
export function teachLessons({
  plan: { settings },
  log: { lessons },
}: TaskState): Pick<Teaching, 'lessons' | 'uses' | 'expire'> {
  if (settings?.lessons?.hasActive !== true) return {};
  return { uses: lessons?.uses ?? {}, expire: settings.lessons.expire };
}
