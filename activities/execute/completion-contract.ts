import type { CompletionContract } from '../../domain/attempt.ts';
import { limits } from '../../domain/limits.ts';
import { clip } from '../../domain/text.ts';

const statuses: readonly CompletionContract['status'][] = ['success', 'partial', 'failed', 'blocked'];

/** Paths are short; this only keeps nonsense out of the history. */
const longestPath = 1_024;

/**
 * What a program says of itself: the last non-empty line of its stdout, when that is a JSON object with a known `status`.
 * Optional fields of a wrong type are dropped; the status still counts. `stdoutTail` must hold a whole line of `limits.contractLine`.
 */
export function parseCompletionContract(stdoutTail: string): CompletionContract | undefined {
  const end = stdoutTail.trimEnd();
  const line = end.slice(end.lastIndexOf('\n') + 1).trim();
  if (!line.startsWith('{') || !line.endsWith('}') || Buffer.byteLength(line) > limits.contractLine) return undefined;
  const value = parseObject(line);
  const status = statuses.find((known) => known === value?.status);
  if (value === undefined || status === undefined) return undefined;
  const { notes, deliverablesTouched, costUsd, tokens } = value;
  return {
    status,
    ...(typeof notes === 'string' ? { notes: clip(notes.toWellFormed(), limits.contractNotes) } : {}),
    ...(isPaths(deliverablesTouched)
      ? {
          deliverablesTouched: deliverablesTouched
            .slice(0, limits.contractDeliverables)
            .map((path) => path.toWellFormed()),
        }
      : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
    ...(isAmount(tokens) && Number.isSafeInteger(tokens) ? { tokens } : {}),
  };
}

/** Own fields only, on an object without a prototype: nothing inherited can pass for a field. */
function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.assign(Object.create(null) as Record<string, unknown>, value);
  } catch {
    return undefined;
  }
}

function isPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && path.length <= longestPath);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
