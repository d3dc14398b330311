import { z } from 'zod';
import type { StatusView, RemediationView, SubtaskView } from '../../domain/views/task-status.ts';
import { decision } from './decision.ts';

export const taskStates = ['planning', 'running', 'paused', 'waiting', 'completed', 'failed', 'cancelled'] as const;

export const taskState = z.enum(taskStates);

/** The addresses of a task: of the API, of the console, and in the Temporal Web UI where that is known. */
export const taskLinks = z.object({ self: z.string(), console: z.string(), webUi: z.string().nullable() });

/** The use of one model in one role. */
export const modelUse = z.object({
  model: z.string(),
  role: z.string(),
  calls: z.number(),
  tokens: z.number(),
  costUsd: z.number(),
});

/** One step of a plan, as it stands. */
export const subtask = z.object({
  id: z.string(),
  state: z.enum(['pending', 'running', 'waiting', 'remediating', 'completed', 'failed', 'skipped', 'blocked']),
  attempts: z.number(),
  maxAttempts: z.number().optional(),
  tier: z.number(),
  rung: z.number(),
  waitingFor: z.string().nullable(),
  dependsOn: z.array(z.string()),
  verdict: z.string().nullable(),
  partial: z.literal(true).optional(),
  reason: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  costUsd: z.number().optional(),
  tokens: z.number().optional(),
  notBefore: z.string().nullable(),
  synthesis: z.literal(true).optional(),
  critical: z.literal(true).optional(),
  phase: z.string().optional(),
  waitsForWorker: z.string().optional(),
} satisfies Record<keyof SubtaskView, z.ZodType>);

/** The newest line that a running attempt printed; of no subtask where a model plans. */
export const activityLine = z.object({ subtask: z.string().nullable(), attempt: z.number(), line: z.string() });

/** Use and limit of each key of the budget. */
export const budget = z.record(z.string(), z.object({ used: z.number(), limit: z.number().nullable() }));

/** Evidence that a subtask owes, while it is looked for. */
const remediation = z.object({
  id: z.string(),
  subtask: z.string(),
  strategy: z.enum(['confirm-or-prune', 'follow-up']),
  reasons: z.array(z.enum(['evidence-gap', 'unconfirmed-data'])),
  targets: z.array(z.string()),
  blocking: z.boolean(),
  released: z.boolean(),
  attempts: z.number(),
  max: z.number(),
  queuedAt: z.string(),
  expiresAt: z.string().nullable(),
  dueAt: z.string().nullable(),
} satisfies Record<keyof RemediationView, z.ZodType>);

/** The process that a task follows. */
const processView = z.object({
  name: z.string(),
  sha256: z.string(),
  from: z.enum(['built-in', 'user', 'paths', 'workspace', 'given']),
  mode: z.enum(['strict', 'guided', 'suggestive']),
});

/** The status of a task, as `heddle status --json` prints it. */
export const status = z.object({
  id: z.string(),
  state: taskState,
  goal: z.string(),
  summary: z.string(),
  project: z.string().nullable(),
  host: z.string().nullable(),
  workspace: z.string().nullable(),
  planVersion: z.number(),
  process: processView.optional(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  code: z.string().nullable(),
  subtasks: z.array(subtask),
  decisions: z.array(decision),
  budget,
  remediations: z.array(remediation),
  planner: z.array(modelUse).optional(),
  plannerRetry: z.object({ at: z.string(), reason: z.string(), nth: z.number(), most: z.number() }).optional(),
  lastEventId: z.number(),
  omitted: z.object({ dependsOn: z.boolean(), decisions: z.number() }).optional(),
} satisfies Record<keyof StatusView, z.ZodType>);

/** The status with who started the task, what its attempts print now, and where to find it. */
export const task = status.extend({
  links: taskLinks,
  by: z.string().nullable(),
  activity: z.array(activityLine),
});

export type Task = z.infer<typeof task>;

/** A row of the list. The last four are null where the task has ended or does not answer. */
export const taskRow = z.object({
  id: z.string(),
  state: z.string(),
  goal: z.string(),
  project: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  waitingOn: z.array(z.string()),
  costUsd: z.number().nullable(),
  by: z.string().nullable(),
  summary: z.string().nullable(),
  done: z.number().nullable(),
  total: z.number().nullable(),
  retrying: z.array(z.string()).nullable(),
});

export type TaskRow = z.infer<typeof taskRow>;

/** A page of the list; `next` is the cursor of the next one. */
export const taskPage = z.object({ items: z.array(taskRow), next: z.string().nullable() });

/** A task that was just started. */
export const startedTask = z.object({
  taskId: z.string(),
  workflowId: z.string(),
  state: z.string(),
  links: taskLinks,
});
