import { grantForAside } from '../schedule/grants.ts';
import { limits } from '../limits/domain-limits.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { TaskState } from '../task/state.ts';
import type { LearnedLesson } from '../types/basic/lessons.ts';
import type { Extracted, Extraction } from '../types/extraction.ts';

/*
 * A model learns from subtasks that failed and recovered, failed for good, or were corrected by a person: beside the work, once for a
 * subtask, within a few requests and a small part of the budget. Nothing waits for it but the end of the task, and that for a moment.
 */

/** Subtasks that a model learns from, from now on. */
export function beginExtractions(task: RunningTask): Extraction[] {
  const begun: Extraction[] = [];
  for (let next = nextExtraction(task.state); next !== undefined; next = nextExtraction(task.state)) {
    task.record({ type: 'lesson.extracting', subtask: next.material.subtask, extraction: next });
    begun.push(next);
  }
  return begun;
}

function nextExtraction(state: TaskState): Extraction | undefined {
  const { waiting = [], requests = 0 } = state.log.lessons ?? {};
  const [material] = waiting;
  const { cancelling, finishing } = state.control;
  if (material === undefined || requests >= limits.lessons.requests || cancelling !== null || finishing)
    return undefined;
  const grant = grantForAside(state);
  return grant === null ? undefined : { material, grant };
}

/** True while a model learns. */
export const isLearning = ({ planner }: TaskState): boolean => planner.extractions !== undefined;

/** Takes what a model learned. */
export function takeExtracted(task: RunningTask, { material }: Extraction, { lessons, ...spent }: Extracted): void {
  const { subtask, failures, corrections, candidate } = material;
  const signature = failures.at(-1)?.failure.signature;
  const from = {
    ...{ task: task.state.id, subtask },
    ...(signature === undefined ? {} : { signature }),
    ...(corrections.length === 0 ? {} : { correction: true as const }),
  };
  const learned = lessons.map((lesson): LearnedLesson => {
    return { ...lesson, from, at: task.now, ...(candidate === undefined ? {} : { candidate }) };
  });
  task.record({ type: 'lesson.learned', subtask, lessons: learned, ...spent });
}
