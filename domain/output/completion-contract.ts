import { limits } from '../limits/domain-limits.ts';
import type { CompletionContract } from '../types/basic/completion-contract.ts';
import { clip } from '../text/text.ts';

/** The statuses that a program may report for its own end. */
export const contractStatuses = [
  'success',
  'partial',
  'failed',
  'blocked',
] as const satisfies readonly CompletionContract['status'][];

/**
 * Reads the completion contract of a program's last line or of an activity's result. Undefined without a known status. A field of a wrong
 * type is dropped, and the status still counts. Texts enter the history, so all of them are bounded.
 */
export function readCompletionContract(value: unknown): CompletionContract | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const status = contractStatuses.find((candidate) => candidate === fields.get('status'));
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

/** A list with anything but paths is not meant as this list. */
const isPathList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path.length <= limits.contractPath);

const boundedPaths = (paths: readonly string[]): string[] =>
  paths.slice(0, limits.contractDeliverables).map((path) => path.toWellFormed());

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
