import { HeddleError } from '../heddle-error.ts';
import type { ProjectMemory } from '../model/memory.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(message: string, hint?: string): HeddleError {
  return new HeddleError({ code: 'MESSAGE_INVALID', message, ...(hint === undefined ? {} : { hint }) });
}

function signatureIn(payload: unknown): string {
  const signature = isObject(payload) ? payload['signature'] : undefined;
  if (typeof signature !== 'string' || !/^[a-z-]+-[0-9a-f]{8,64}$/.test(signature)) {
    throw refuse('signature must be one, such as timeout-1a2b3c4d5e6f7a8b', '`heddle memory PROJECT` lists them.');
  }
  return signature;
}

export function checkSignature(memory: ProjectMemory, payload: unknown): void {
  const signature = signatureIn(payload);
  const known =
    memory.signatures.some((item) => item.signature === signature) ||
    memory.answers.some((item) => item.signature === signature);
  if (!known) {
    throw new HeddleError({
      code: 'SIGNATURE_NOT_FOUND',
      message: `${memory.project} knows no ${signature}`,
      hint: '`heddle memory PROJECT` lists what it knows.',
    });
  }
}

export function checkFix(payload: unknown): void {
  signatureIn(payload);
  if (!isObject(payload)) throw refuse('set takes one JSON object');
  const { rung, hint } = payload;
  if (rung !== undefined && (typeof rung !== 'number' || !Number.isInteger(rung) || rung < 1 || rung > 20)) {
    throw refuse('rung must be a whole number from 1 to 20');
  }
  if (hint !== undefined && typeof hint !== 'string') throw refuse('hint must be text');
  if (rung === undefined && hint === undefined) throw refuse('set needs a rung or a hint');
}

/** The form of `memory export`. */
export function checkImport(payload: unknown): void {
  if (!isObject(payload) || !Array.isArray(payload['signatures']) || !Array.isArray(payload['answers'])) {
    throw refuse('import takes {signatures: [...], answers: [...]}', 'Use what `heddle memory export` wrote.');
  }
  for (const item of payload['signatures'] as unknown[]) {
    signatureIn(item);
    const { type, summary, count, fixedAtRung, hint } = item as Record<string, unknown>;
    const fits =
      typeof type === 'string' &&
      typeof summary === 'string' &&
      typeof count === 'number' &&
      (fixedAtRung === null || typeof fixedAtRung === 'number') &&
      typeof hint === 'string';
    if (!fits) throw refuse('a signature needs type, summary, count, fixedAtRung and hint');
  }
  for (const item of payload['answers'] as unknown[]) {
    signatureIn(item);
    if (typeof (item as Record<string, unknown>)['option'] !== 'string') throw refuse('an answer needs an option');
  }
}
