import type { Describers } from './describers.ts';

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
