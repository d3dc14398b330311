import { buildLessonContext } from './lesson-context.ts';
import { steeringFor } from '../messages/steering.ts';
import { openItem, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import type { PastFailure, PromptContext } from '../types/attempt.ts';

/** The part of an attempt's prompt that is not the task itself. */
export function buildPromptContext(state: TaskState, id: string): PromptContext {
  const { guidance, failures, climb, hint, diagnosis } = subtaskOf(state, id);
  const item = openItem(state, id);
  const diagnosisPart = diagnosis === undefined || diagnosis === null ? {} : { diagnosis };
  return {
    guidance,
    steering: steeringFor(state, id).map(({ text }) => text),
    retry:
      failures.length === 0
        ? null
        : { maxAttempts: climb.maxAttempts, failures: failures.map(toPastFailure), hint, ...diagnosisPart },
    ...(item === undefined ? {} : { remediation: { reasons: item.reasons, targets: item.targets } }),
    ...pickChangedRoom(state),
    ...pickLessons(state),
  };
}

/** Present where the project has lessons, or the task learned some itself. */
function pickLessons(state: TaskState): Pick<PromptContext, 'lessons'> {
  const lessons = buildLessonContext(state);
  return lessons === undefined ? {} : { lessons };
}

/** Only what the config changed: the activity knows the rest. */
function pickChangedRoom({ plan: { settings } }: TaskState): Pick<PromptContext, 'room'> {
  const { retryContext, dependencyResults, dependencyResult } = settings?.limits ?? {};
  const room = {
    ...(retryContext === undefined ? {} : { retryContext }),
    ...(dependencyResults === undefined ? {} : { dependencyResults }),
    ...(dependencyResult === undefined ? {} : { dependencyResult }),
  };
  return Object.keys(room).length === 0 ? {} : { room };
}

const toPastFailure = ({ attempt, endedAt, failure, files, denied }: PastFailure): PastFailure => ({
  ...{ attempt, endedAt, failure, files },
  ...(denied === undefined ? {} : { denied }),
});
