import { z } from 'zod';
import { errorCodes } from '../../domain/errors/error-codes.ts';

const code = z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]);

/** One thing that is wrong. `code` has an entry in docs/errors.md. */
export const problem = z.object({
  code,
  message: z.string(),
  where: z.string().optional(),
  hint: z.string().optional(),
});

/** The answer to a person or program who came first, beside `DECISION_ALREADY_ANSWERED`. */
export const givenAnswer = z.object({
  option: z.string(),
  by: z.string().nullable(),
  at: z.string(),
  source: z.enum(['person', 'policy', 'standing']),
});

/** Every refusal. */
export const refusal = z.object({
  error: problem.extend({
    problems: z.array(problem).optional(),
    found: z.array(z.string()).optional(),
    answer: givenAnswer.optional(),
    taskId: z.string().optional(),
    host: z.string().nullable().optional(),
    listing: z.unknown().optional(),
  }),
});

export type Refusal = z.infer<typeof refusal>;

export type GivenAnswer = z.infer<typeof givenAnswer>;
