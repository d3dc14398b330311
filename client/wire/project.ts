import { z } from 'zod';

/** Projects that have tasks. */
export const projectList = z.object({ items: z.array(z.object({ project: z.string(), tasks: z.number() })) });

/** The memory of a project, as `heddle memory --json` prints it. */
export const memory = z.object({
  project: z.string(),
  signatures: z.array(
    z.object({
      signature: z.string(),
      type: z.string(),
      summary: z.string(),
      count: z.number(),
      fixedAtRung: z.number().nullable(),
      hint: z.string(),
    }),
  ),
  answers: z.array(
    z.object({
      signature: z.string(),
      option: z.string(),
      instruction: z.string().optional(),
      by: z.string().optional(),
    }),
  ),
  lessons: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      by: z.enum(['model', 'person']),
      from: z.array(
        z.object({
          task: z.string(),
          subtask: z.string(),
          signature: z.string().optional(),
          correction: z.literal(true).optional(),
        }),
      ),
      at: z.string(),
      shown: z.number(),
      helped: z.number(),
      hurt: z.number(),
      state: z.enum(['candidate', 'active', 'retired']),
      why: z.string().optional(),
    }),
  ),
});

/** Results of one band of confidence, and how people answered about them. */
const calibrationBand = z.object({
  from: z.number(),
  to: z.number(),
  answers: z.number(),
  approved: z.number(),
  refused: z.number(),
  byPolicy: z.number(),
  approvedShare: z.number().nullable(),
});

/** The memory of a project, with how people answered by how sure a result was, over its newest ended tasks. */
export const project = memory.extend({ calibration: z.array(calibrationBand) });
