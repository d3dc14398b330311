import type { Describers } from './describers.ts';
import { formatCount } from '../text/text.ts';
import type { LearnedLesson } from '../types/basic/lessons.ts';

/** How questions to a person and their answers are shown. */
export const decisionEvents = {
  'decision.opened': ({ type, decision }) => ({
    type,
    text: decision.problem,
    ...(decision.subtask === null ? {} : { subtask: decision.subtask }),
    decision,
  }),
  'decision.phrased': ({ type, subtask, decisionId, problem }) =>
    problem === null ? null : { type, text: problem, subtask, decisionId, problem },
  'lesson.learned': ({ type, subtask, lessons }) =>
    lessons.length === 0
      ? null
      : { type, subtask, lessons: lessons.map(pickLesson), text: formatLearned(subtask, lessons) },
  'decision.answered': ({ type, answer, source, score }) => ({
    type,
    text: `${answer.by ?? 'Someone'} answered ${answer.decisionId}: ${answer.option}.`,
    decisionId: answer.decisionId,
    option: answer.option,
    by: answer.by ?? null,
    source,
    ...(score === undefined ? {} : { score }),
    ...(answer.instruction === undefined ? {} : { instruction: answer.instruction }),
    ...(answer.value === undefined ? {} : { value: answer.value }),
  }),
} satisfies Partial<Describers>;

const pickLesson = ({ id, text, candidate }: LearnedLesson): { id: string; text: string; candidate?: true } => ({
  ...{ id, text },
  ...(candidate === undefined ? {} : { candidate }),
});

function formatLearned(subtask: string, lessons: readonly LearnedLesson[]): string {
  const waits = lessons.every(({ candidate }) => candidate === true) ? ', which no prompt shows yet' : '';
  return `Learned ${formatCount(lessons.length, 'lesson')} from ${subtask}${waits}: ${lessons.map(({ text }) => text).join(' ')}`;
}
