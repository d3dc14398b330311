import { z } from 'zod';
import type { CompletionContract } from '../types/basic/completion-contract.ts';
import { contractStatuses, readCompletionContract } from './completion-contract.ts';
import { findLastObjects } from './last-objects.ts';
import { outputLimits } from './limits.ts';
import { parseJson } from './parse.ts';
import { readOutput, type Repair } from './pipeline.ts';

const contractSchema = z.preprocess(foldStatus, z.looseObject({ status: z.enum(contractStatuses) }));

/**
 * Reads a program's own report: the last non-empty line of its stdout, if that is an object with a known `status`. It is read as
 * tolerantly as all answers: `{ status: 'failed', }` is not JSON, but to ignore it would turn a failure into a success. For the same
 * reason a status other than success also counts in the last object of the output, on several lines, in a fence or followed by text.
 * `stdoutTail` must hold a whole line of `outputLimits.contractLine`.
 */
export function parseCompletionContract(stdoutTail: string): CompletionContract | undefined {
  const end = stdoutTail.trimEnd();
  const line = end.slice(end.lastIndexOf('\n') + 1).trim();
  const contract = line.startsWith('{') && line.endsWith('}') ? readObject(line) : undefined;
  if (contract !== undefined) return contract;
  for (const object of findLastObjects(end)) {
    const last = readObject(object) ?? readStatus(object);
    if (last !== undefined) return last.status === 'success' ? undefined : last;
    if (parseJson(object, outputLimits.depth).kind === 'json') return undefined;
  }
  return undefined;
}

/** An object that is refused, for a number or a key in it, still counts with its status. */
function readStatus(text: string): CompletionContract | undefined {
  if (text.length > outputLimits.contractLine || parseJson(text, outputLimits.depth).kind !== 'refused')
    return undefined;
  try {
    const { data } = contractSchema.safeParse(JSON.parse(text));
    return data === undefined ? undefined : { status: data.status };
  } catch {
    return undefined;
  }
}

function readObject(text: string): CompletionContract | undefined {
  // Repairing a text costs far more than this test.
  if (!/status/i.test(text)) return undefined;
  const outcome = readOutput(text, { schema: contractSchema, keys: [], maxBytes: outputLimits.contractLine });
  if (outcome.kind === 'invalid' || (outcome.kind === 'repaired' && !isWholeLine(outcome.how))) return undefined;
  return readCompletionContract(outcome.value);
}

/** An object that is surrounded by text, or cut off, belongs to the output and is not a contract. */
const isWholeLine = (how: Repair): boolean => how === 'mended' || how === 'cleaned';

/** Models write `Failed` and `Status` in any case. The exact spelling of the key takes precedence. */
function foldStatus(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value);
  const isStatus = (spelled: string): boolean => fields.some(([key]) => key === spelled);
  const key = isStatus('status') ? 'status' : fields.find(([name]) => name.toLowerCase() === 'status')?.[0];
  const status: unknown = fields.find(([name]) => name === key)?.[1];
  return typeof status === 'string' ? { ...value, status: status.trim().toLowerCase() } : value;
}
