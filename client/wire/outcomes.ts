import { z } from 'zod';
import { givenAnswer, problem } from './problem.ts';

/** A message that a task took. */
export const accepted = z.object({ taskId: z.string() });

/** An answer that a task took. */
export const answered = z.object({
  taskId: z.string(),
  decisionId: z.string(),
  option: z.string(),
  by: z.string(),
});

/** An answer that is delivered when a worker runs. */
export const sentAnswer = z.object({ taskId: z.string(), decisionId: z.string(), delivery: z.literal('signal') });

/** The outcome of each answer, in their order. */
export const answeredBatch = z.object({
  items: z.array(
    z.object({
      taskId: z.string(),
      decisionId: z.string(),
      ok: z.boolean(),
      error: problem.extend({ answer: givenAnswer.optional() }).optional(),
    }),
  ),
});

export type AnsweredBatch = z.infer<typeof answeredBatch>;

/** The problems of a plan, and its graph as far as it can be read. */
export const checkedPlan = z.object({
  ok: z.boolean(),
  problems: z.array(problem.extend({ path: z.array(z.union([z.string(), z.number()])) })),
  subtasks: z.array(z.object({ id: z.string(), dependsOn: z.array(z.string()) })),
});

export type CheckedPlan = z.infer<typeof checkedPlan>;

/** The work that a retry takes over, what runs again, and what is checked first. */
export const retryPlan = z.object({
  taskId: z.string(),
  reused: z.array(z.string()),
  runs: z.array(z.string()),
  rechecked: z.array(z.string()),
});
