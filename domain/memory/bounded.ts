import { boundLessons } from '../lessons/lesson-book.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ProjectState } from '../types/basic/memory.ts';
import { keepNewest } from './newest.ts';

/** Bounds the state, so that a query, an update and continue-as-new always fit. */
export function bounded(state: ProjectState): ProjectState {
  const { remembered, forgotten, taught } = limits.memory;
  return {
    ...state,
    signatures: keepNewest(state.signatures, remembered),
    answers: keepNewest(state.answers, remembered),
    lessons: boundLessons(state.lessons),
    forgotten: keepNewest(state.forgotten, forgotten),
    taught: keepNewest(state.taught, taught),
  };
}
