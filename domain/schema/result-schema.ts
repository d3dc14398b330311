import * as z from 'zod';
import type { DependencyResult } from '../types/attempt.ts';

const ref = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) });

const resultSchema: z.ZodType<DependencyResult> = z.object({
  id: z.string(),
  status: z.enum(['success', 'partial', 'skipped']),
  notes: z.string(),
  deliverables: z.array(z.string()),
  preview: z.string(),
  output: ref.exactOptional(),
  task: z.string().exactOptional(),
  evidence: ref.exactOptional(),
  files: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).exactOptional(),
});

/** Reads a stored result; undefined for anything else. */
export const readResult = (value: unknown): DependencyResult | undefined => resultSchema.safeParse(value).data;

/** Reads a stored result from its bytes. */
export function parseResult(bytes: Uint8Array): DependencyResult | undefined {
  try {
    return readResult(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
