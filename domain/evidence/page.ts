import * as z from 'zod';
import type { EvidencePage, EvidenceRecord } from '../types/basic/evidence.ts';

const ref = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) });

export const evidenceRecordSchema: z.ZodType<EvidenceRecord> = z.object({
  id: z.string(),
  claim: z.string(),
  target: z.string().exactOptional(),
  quote: z.string().exactOptional(),
  source: z.object({
    kind: z.enum(['file', 'git', 'web', 'artifact', 'other']),
    at: z.string(),
    sha256: z.string().exactOptional(),
  }),
  quality: z.enum(['confirmed', 'sourced', 'claimed', 'not-found', 'disputed', 'pruned']),
  by: z.enum(['agent', 'program']),
  subtask: z.string(),
  attempt: z.number(),
  task: z.string(),
  at: z.string(),
  quoteFound: z.literal(false).exactOptional(),
  repairedBy: z.string().exactOptional(),
});

export const owedTargetSchema = z.object({
  target: z.string(),
  each: z.number(),
  quotes: z.enum(['optional', 'required']),
});

const pageSchema: z.ZodType<EvidencePage> = z.object({
  subtask: z.string(),
  records: z.array(evidenceRecordSchema),
  missing: z.array(z.object({ target: z.string(), lacks: z.number(), by: z.literal('judge').exactOptional() })),
  targets: z.array(owedTargetSchema),
  inherited: z.array(z.object({ subtask: z.string(), page: ref })),
});

export const emptyPage = (subtask: string): EvidencePage => ({
  subtask,
  records: [],
  missing: [],
  targets: [],
  inherited: [],
});

/** Reads a stored page; undefined for anything else. */
export const readEvidencePage = (value: unknown): EvidencePage | undefined => pageSchema.safeParse(value).data;
