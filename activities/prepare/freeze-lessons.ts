import type { FrozenConfig } from '../../domain/config/layers.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { LessonView } from '../../domain/types/basic/lessons.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { buildLessonList, type LessonList } from '../memory/lesson-list.ts';
import type { Store } from '../store/store.ts';

/** Puts the project's lessons into the store once, when a task starts: what changes in the project later changes no task that runs. */
export async function freezeLessons(
  lessons: readonly LessonView[],
  { values, models }: FrozenConfig,
  store: Pick<Store, 'put'>,
): Promise<Pick<TaskSettings, 'lessons'>> {
  const { memory = {}, prompts, redact } = values;
  const { lessons: isOn = true, recall = limits.lessons.recall, expire = limits.lessons.expire } = memory;
  if (!isOn) return {};
  const list = buildLessonList(lessons, expire, Date.now());
  const hasActive = list.lessons.length > 0;
  const extracts = models.some(({ roles }) => roles.includes('extractor'));
  if (!hasActive && !extracts) return {};
  const kept = { ...(prompts === undefined ? {} : { prompts }), ...(redact === undefined ? {} : { redact }) };
  const whole: LessonList = extracts ? { ...list, config: { models, values: kept } } : list;
  return {
    lessons: {
      list: await store.put(JSON.stringify(whole)),
      ...{ recall, expire },
      ...(hasActive ? { hasActive } : {}),
      ...(extracts ? { extracts } : {}),
    },
  };
}
