import { z } from 'zod';

const words = z.string().max(10_000);
const name = z.string().min(1).max(200);

/** A plan: an object, or the text of a plan file as YAML or JSON. */
const givenPlan = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** Starts a task. */
export const startRequest = z.strictObject({
  plan: givenPlan,
  id: z.string().max(64).optional(),
  shareWorkspace: z.boolean().optional(),
});

/** A plan that is to be checked. */
export const planRequest = z.strictObject({ plan: givenPlan });

/** An answer to a question. The person who gives it is the one whose token it is. */
export const answerRequest = z.strictObject({
  option: name,
  instruction: words.optional(),
  value: z.unknown().optional(),
  scope: z.enum(['once', 'signature']).optional(),
  delivery: z.literal('signal').optional(),
});

/** Answers to several questions. */
export const batchRequest = z.strictObject({
  answers: z
    .array(answerRequest.omit({ delivery: true }).extend({ taskId: name, decisionId: name }))
    .min(1)
    .max(50),
});

/** An instruction to running agents and to attempts that start later; with `replan` a planner changes the plan by it too. */
export const steerRequest = z.strictObject({
  text: words,
  subtask: name.optional(),
  replan: z.boolean().optional(),
});

/** A reason in words. */
export const reasonRequest = z.strictObject({ reason: words.optional() });

/** Runs an ended task again, with what it finished. */
export const retryRequest = z.strictObject({
  from: name.optional(),
  plan: givenPlan.optional(),
  dryRun: z.boolean().optional(),
});

/** Brings files back. */
export const undoRequest = z.strictObject({
  subtask: name.optional(),
  dryRun: z.boolean().optional(),
  force: z.boolean().optional(),
});

/** Corrects what a project remembers of a failure. */
export const fixRequest = z.strictObject({
  rung: z.number().int().min(1).max(20).optional(),
  hint: words.optional(),
});
