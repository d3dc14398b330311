import { z } from 'zod';
import type { CompletionContract } from '../../domain/model/completion-contract.ts';
import { activityLimits } from '../limits.ts';
import { readOutput } from '../../domain/output/pipeline.ts';
import { clip } from '../../domain/text/text.ts';

/** Paths are short; this only keeps nonsense out of the history. */
const longestPath = 1_024;

/** A field of a wrong type is dropped; the status still counts. */
const optional = <T extends z.ZodType>(field: T) => field.optional().catch(undefined);

const amount = z.number().nonnegative();

const contractSchema = z.object({
  status: z.enum(['success', 'partial', 'failed', 'blocked']),
  notes: optional(z.string().transform((text) => clip(text.toWellFormed(), activityLimits.contractNotes))),
  deliverablesTouched: optional(
    z
      .array(z.string().max(longestPath))
      .transform((paths) => paths.slice(0, activityLimits.contractDeliverables).map((path) => path.toWellFormed())),
  ),
  costUsd: optional(amount),
  tokens: optional(amount.int()),
});

/**
 * What a program says of itself: the last non-empty line of its stdout, when that is an object with a known `status`. It goes
 * through the pipeline of all answers: `{ status: 'failed', }` is not JSON, but to take it for plain output would make a success of it.
 * `stdoutTail` must hold a whole line of `activityLimits.contractLine`.
 */
export function parseCompletionContract(stdoutTail: string): CompletionContract | undefined {
  const end = stdoutTail.trimEnd();
  const line = end.slice(end.lastIndexOf('\n') + 1).trim();
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  const outcome = readOutput(line, { schema: contractSchema, keys: ['status'], maxBytes: activityLimits.contractLine });
  if (outcome.kind === 'invalid' || (outcome.kind === 'repaired' && !isWholeLine(outcome.how))) return undefined;
  const { status, notes, deliverablesTouched, costUsd, tokens } = outcome.value;
  return {
    status,
    ...(notes === undefined ? {} : { notes }),
    ...(deliverablesTouched === undefined ? {} : { deliverablesTouched }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

/** Something between other words, or cut off, is part of the output and no contract. */
const isWholeLine = (how: string): boolean => how === 'mended' || how === 'cleaned';
