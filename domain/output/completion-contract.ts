import { limits } from '../limits/domain-limits.ts';
import type { CompletionContract } from '../types/basic/completion-contract.ts';
import { clip } from '../text/text.ts';

/** What a subtask may say of its own end. */
export const contractStatuses = [
  'success',
  'partial',
  'failed',
  'blocked',
] as const satisfies readonly CompletionContract['status'][];

/**
 * The completion contract in a value of unknown origin: a program's last line, or what an activity returned. Undefined without a known
 * status. A field of a wrong type is dropped; the status still counts. What it says enters the history, so all of it is bounded.
 */
export function readCompletionContract(value: unknown): CompletionContract | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const status = contractStatuses.find((known) => known === fields.get('status'));
  if (status === undefined) return undefined;
  const notes = fields.get('notes');
  const touched = fields.get('deliverablesTouched');
  const costUsd = fields.get('costUsd');
  const tokens = fields.get('tokens');
  return {
    status,
    ...(typeof notes === 'string' ? { notes: clip(notes.toWellFormed(), limits.contractNotes) } : {}),
    ...(isPathList(touched) ? { deliverablesTouched: boundedPaths(touched) } : {}),
    ...(isAmount(costUsd) && costUsd <= limits.attemptUsd ? { costUsd } : {}),
    ...(isAmount(tokens) && Number.isSafeInteger(tokens) ? { tokens } : {}),
  };
}

/** A list with anything else in it was not meant as this list. */
const isPathList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path.length <= limits.contractPath);

const boundedPaths = (paths: readonly string[]): string[] =>
  paths.slice(0, limits.contractDeliverables).map((path) => path.toWellFormed());

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
