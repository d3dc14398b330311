import { z } from 'zod';
import { attempt } from './log.ts';
import { budget } from './task.ts';

const gap = z.object({
  subtask: z.string().nullable(),
  attempt: z.number(),
  moment: z.enum(['start', 'end']),
  at: z.string(),
  reason: z.string(),
});

const outside = z.object({ path: z.string(), why: z.string() });
const others = z.object({ path: z.string(), during: z.array(z.string()), shared: z.boolean() });

/** A file that a task or a subtask changed. */
export const changedFile = z.object({
  path: z.string(),
  state: z.enum(['created', 'modified', 'deleted', 'mode']),
  by: z.array(z.string()),
  sure: z.boolean(),
  binary: z.boolean(),
  added: z.number(),
  removed: z.number(),
});

/** The changes of a task or a subtask, as `heddle diff --json` prints them. */
export const diff = z.object({
  taskId: z.string(),
  subtask: z.string().nullable(),
  workspace: z.string().nullable(),
  files: z.array(changedFile),
  gaps: z.array(gap),
  outside: z.array(outside),
  changedByOthers: z.array(others).optional(),
  repositories: z.array(
    z.object({ path: z.string(), state: z.string(), removed: z.array(z.string()), by: z.string() }),
  ),
});

export type TaskDiff = z.infer<typeof diff>;

/** The files that an undo brought back, as `heddle undo --json` prints them. */
export const undone = z.object({
  taskId: z.string(),
  subtask: z.string().nullable(),
  workspace: z.string().nullable(),
  dryRun: z.boolean(),
  files: z.array(z.object({ path: z.string(), action: z.enum(['restored', 'removed', 'mode']) })),
  gaps: z.array(gap),
  outside: z.array(outside),
  changedByOthers: z.array(others).optional(),
});

/** The evidence of a task, as `heddle evidence --json` prints it. */
export const evidence = z.object({
  taskId: z.string(),
  records: z.array(
    z.looseObject({
      id: z.string(),
      claim: z.string(),
      source: z.object({ kind: z.string(), at: z.string(), sha256: z.string().optional() }),
      quality: z.string(),
      quote: z.string().optional(),
      target: z.string().optional(),
      subtask: z.string(),
    }),
  ),
  missing: z.array(z.object({ subtask: z.string(), target: z.string(), lacks: z.number(), by: z.string().optional() })),
});

/** The figures of a task, as `heddle report --json` prints them: beside these fields there are more. */
export const report = z.object({
  id: z.string(),
  state: z.string(),
  goal: z.string(),
  summary: z.string(),
  project: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  subtasks: z.object({
    total: z.number(),
    completed: z.number(),
    failed: z.number(),
    skipped: z.number(),
    blocked: z.number(),
    open: z.number(),
    unchecked: z.number(),
    reused: z.number(),
  }),
  attempts: z.object({ total: z.number(), firstTryRate: z.number(), recovered: z.number() }),
  budget,
  files: z.array(z.string()),
  evidence: z.unknown().optional(),
  records: z.array(attempt),
  changes: z.unknown().optional(),
});

/** The plan that a task follows, with whole subtasks. */
export const plan = z.looseObject({
  goal: z.string(),
  project: z.string(),
  workspace: z.string(),
  planVersion: z.number(),
  subtasks: z.array(z.looseObject({ id: z.string(), dependsOn: z.array(z.string()) })),
});

/** A plan as a file has it: see docs/plan-file.md. */
export const planFile = z.looseObject({ goal: z.string() });
