import { z } from 'zod';
import type { GatedAction } from '../../domain/types/agent.ts';
import type { DecisionOption } from '../../domain/types/decision.ts';
import { givenAnswer, problem } from './problem.ts';

export const decisionKinds = ['escalation', 'approval', 'plan', 'budget', 'question'] as const;

/** A file as an attempt left it. */
export const fileState = z.object({
  path: z.string(),
  state: z.enum(['created', 'modified', 'unchanged', 'missing', 'deleted']),
  lines: z.number(),
});

/** One choice. `needs` says what an answer with it must bring, `cost` what it may take, `affects` what it runs and skips. */
export const decisionOption = z.object({
  id: z.string(),
  label: z.string(),
  consequence: z.string(),
  reversible: z.boolean(),
  needs: z
    .union([
      z.object({ words: z.string() }),
      z.object({ value: z.object({ form: z.string(), say: z.string(), example: z.string() }) }),
    ])
    .optional(),
  cost: z.object({ attempts: z.number(), usd: z.number().nullable(), ms: z.number().nullable() }).optional(),
  affects: z.object({ runs: z.array(z.string()), skips: z.array(z.string()), more: z.number().optional() }).optional(),
} satisfies Record<keyof DecisionOption, z.ZodType>);

/** The action that a gate asks about, exactly as it would be done. */
export const gatedAction = z.object({
  tool: z.string(),
  arguments: z.unknown(),
  why: z.string(),
  hash: z.string(),
  danger: z.string(),
  cut: z.literal(true).optional(),
  said: z.string().optional(),
  sandboxed: z.literal(true).optional(),
} satisfies Record<keyof GatedAction, z.ZodType>);

/** A question to a person. The fields behind `onTimeout` belong to some kinds only. */
export const decision = z.object({
  id: z.string(),
  kind: z.enum(decisionKinds),
  subtask: z.string().nullable(),
  problem: z.string(),
  tried: z.array(z.string()),
  recommendation: z.string(),
  options: z.array(decisionOption),
  signature: z.string().nullable(),
  openedAt: z.string(),
  deadline: z.string().nullable(),
  onTimeout: z.enum(['wait', 'proceed', 'deny', 'skip']),
  files: z.array(fileState).optional(),
  score: z.number().optional(),
  action: gatedAction.optional(),
  call: z.string().nullable().optional(),
  check: z.literal(true).optional(),
  stalled: z.literal(true).optional(),
  budget: z.string().optional(),
  used: z.number().optional(),
  limit: z.number().nullable().optional(),
  asks: z.unknown().optional(),
  estimate: z.unknown().optional(),
  degraded: z.unknown().optional(),
});

/** A question with its task, and its answer where it has one. */
export const card = decision.extend({
  taskId: z.string(),
  goal: z.string(),
  links: z.object({ console: z.string() }),
  answer: givenAnswer.optional(),
});

export type Card = z.infer<typeof card>;

/** The open questions of all tasks. */
export const inbox = z.object({
  items: z.array(card),
  silent: z.array(z.object({ taskId: z.string(), problem })),
});

export type Inbox = z.infer<typeof inbox>;

/** The questions of one task. */
export const decisionList = z.object({ items: z.array(card) });
