import { z } from 'zod';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { Judgement, Vote } from '../../domain/types/judgement.ts';
import { fileState } from './decision.ts';
import { modelUse } from './task.ts';

/** One numbered event. Its type says which other fields it has: see docs/terminal.md. */
export const event = z.object({
  id: z.number(),
  time: z.string(),
  taskId: z.string(),
  type: z.string(),
  text: z.string(),
});

/** One judge's vote. */
export const vote = z.object({
  lens: z.string(),
  model: z.string().nullable(),
  passed: z.boolean().nullable(),
  confidence: z.number(),
  says: z.string().optional(),
} satisfies Record<keyof Vote, z.ZodType>);

/** One try of a subtask, as `heddle report --json` has it under `records`. */
export const attempt = z.object({
  subtask: z.string(),
  attempt: z.number(),
  rung: z.number(),
  tier: z.number(),
  thinking: z.boolean(),
  strategy: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  outcome: z.enum(['running', 'passed', 'failed', 'cancelled']),
  type: z.string().nullable(),
  category: z.string().nullable(),
  signature: z.string().nullable(),
  code: z.string().optional(),
  summary: z.string(),
  details: z.string(),
  rootCause: z.string(),
  suggestedFix: z.string(),
  filesAffected: z.array(fileState),
  verify: z.array(
    z.object({
      command: z.string(),
      name: z.string().optional(),
      exit: z.number().nullable(),
      summary: z.string(),
      sandboxed: z.literal(true).optional(),
    }),
  ),
  verdict: z.string().nullable(),
  reruns: z.number(),
  waits: z.array(z.object({ at: z.string(), ms: z.number(), reason: z.string() })),
  tokens: z.number(),
  costUsd: z.number().nullable(),
  costKnownUsd: z.number().optional(),
  modelCalls: z.number(),
  toolCalls: z.number(),
  toolFailures: z
    .array(z.object({ tool: z.string(), calls: z.number(), last: z.string(), left: z.literal(true).optional() }))
    .optional(),
  models: z.array(modelUse),
  outputRef: z.string().nullable(),
  transcriptRef: z.string().nullable(),
  evidence: z.object({ sha256: z.string(), bytes: z.number() }).optional(),
  session: z.unknown().optional(),
  denied: z.array(z.object({ tool: z.string(), what: z.string() })).optional(),
  restored: z.unknown().optional(),
  judgement: z
    .object({
      outcome: z.string(),
      confidence: z.number(),
      reasonCode: z.string().nullable(),
      severity: z.string().nullable(),
      votes: z.array(vote),
      contradictions: z.number(),
      transcriptRef: z.string().optional(),
    } satisfies Record<keyof Judgement, z.ZodType>)
    .optional(),
  confidence: z.number().optional(),
  diagnosis: z.object({ cause: z.string(), by: z.literal('model') }).optional(),
  lessons: z.array(z.string()).optional(),
} satisfies Record<keyof AttemptView, z.ZodType>);

/** Entries that cannot be read here, and the host that has them. */
const missing = z.array(z.object({ from: z.number(), to: z.number(), host: z.string().nullable() }));

/** Events behind a number; `next` is the number to go on from. */
export const eventPage = z.object({ items: z.array(event), next: z.number().nullable(), missing });

/** Attempts behind a position; `next` is the position to go on from. */
export const attemptPage = z.object({ items: z.array(attempt), next: z.number().nullable(), missing });
