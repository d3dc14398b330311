import { z } from 'zod';
import type { CompletionContract } from '../model/completion-contract.ts';
import { contractStatuses, readCompletionContract } from './completion-contract.ts';
import { outputLimits } from './limits.ts';
import { readOutput, type Repair } from './pipeline.ts';

const contractSchema = z.looseObject({ status: z.enum(contractStatuses) });

/**
 * What a program says of itself: the last non-empty line of its stdout, when that is an object with a known `status`. It goes
 * through the pipeline of all answers: `{ status: 'failed', }` is not JSON, but to take it for plain output would make a success of it.
 * `stdoutTail` must hold a whole line of `outputLimits.contractLine`.
 */
export function parseCompletionContract(stdoutTail: string): CompletionContract | undefined {
  const end = stdoutTail.trimEnd();
  const line = end.slice(end.lastIndexOf('\n') + 1).trim();
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  const outcome = readOutput(line, { schema: contractSchema, keys: ['status'], maxBytes: outputLimits.contractLine });
  if (outcome.kind === 'invalid' || (outcome.kind === 'repaired' && !isWholeLine(outcome.how))) return undefined;
  return readCompletionContract(outcome.value);
}

/** Something between other words, or cut off, is part of the output and no contract. */
const isWholeLine = (how: Repair): boolean => how === 'mended' || how === 'cleaned';
