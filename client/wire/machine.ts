import { z } from 'zod';

/** Models and the one that serves each role at each tier, as `heddle models --json` prints them; checked ones have `ok` and what follows. */
export const models = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      provider: z.string(),
      id: z.string(),
      tier: z.number(),
      roles: z.array(z.string()),
      ok: z.boolean().optional(),
      latencyMs: z.number().optional(),
      tokens: z.number().optional(),
      costUsd: z.number().optional(),
      error: z.string().optional(),
    }),
  ),
  routes: z.array(z.object({ role: z.string(), tier: z.number(), model: z.string().nullable() })),
});

/** Tools that agents may be given. */
export const tools = z.object({
  tools: z.array(z.object({ name: z.string(), source: z.literal('built-in'), readOnly: z.boolean() })),
});

/** The config of a folder, as `heddle config --json` prints it. Values that look like secrets are hidden. */
export const config = z.object({
  files: z.array(z.object({ kind: z.string(), path: z.string(), found: z.boolean(), trusted: z.boolean().optional() })),
  values: z.array(
    z.object({
      key: z.string(),
      value: z.unknown(),
      from: z.string(),
      place: z.string(),
      trusted: z.literal(false).optional(),
    }),
  ),
});

/** A worker process that polls a queue. */
export const worker = z.object({ host: z.string(), queue: z.string(), lastSeenAt: z.string() });

/** The program, its server, its home and its workers. */
export const system = z.object({
  version: z.string(),
  node: z.string(),
  startedAt: z.string(),
  temporal: z.object({
    address: z.string().nullable(),
    namespace: z.string().nullable(),
    version: z.string().nullable(),
    webUi: z.string().nullable(),
    ok: z.boolean(),
  }),
  home: z.object({ freeBytes: z.number().nullable() }),
  workers: z.array(worker),
  models: models.nullable(),
});

const measured = z.object({ p95Ms: z.number().nullable(), aimMs: z.number() });

/** Figures of this process over the last five minutes beside their aims, and how the tasks stand. */
export const slo = z.object({
  tasks: z.record(z.string(), z.number()),
  oldestQuestionMs: z.number().nullable(),
  workers: z.array(worker),
  requests: measured,
  events: z.object({ lagP95Ms: z.number().nullable(), aimMs: z.number() }),
  streams: z.number(),
});

/** The checks of the machine, as `heddle doctor --json` prints them. */
export const doctor = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), found: z.string(), hint: z.string().optional() })),
});

/** The answer to whether the server could take work: Temporal answers, and a worker polls. */
export const ready = z.object({ ok: z.boolean(), temporal: z.boolean(), worker: z.boolean() });
