import type { z } from 'zod';
import { outputLimits } from './limits.ts';
import { clip, oneLine, formatList } from '../text/text.ts';

const { misfits, misfit, namedKeys } = outputLimits;

/** Explains in one sentence where a value does not fit its schema. */
export function explainMisfit(error: z.ZodError): string {
  const named = error.issues.slice(0, misfits).map(formatIssue);
  const more = error.issues.length - named.length;
  return `The answer does not fit: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function formatIssue({ path, message }: z.core.$ZodIssue): string {
  const where = path.reduce<string>((sentence, part) => sentence + formatPart(part, sentence), '');
  return `${where === '' ? '' : `${clip(oneLine(where), misfit)}: `}${plain(message)}`;
}

function formatPart(part: PropertyKey, sentence: string): string {
  if (typeof part === 'number') return `[${part}]`;
  return sentence === '' ? String(part) : `.${String(part)}`;
}

/** Explains that the schema itself failed. */
export function formatUnchecked(error: unknown): string {
  return `The answer could not be checked: ${plain(error instanceof Error ? error.message : String(error))}.`;
}

function plain(message: string): string {
  const sentence = oneLine(message)
    .replace(/^Invalid input: /, '')
    .replace(/\.$/, '');
  return clip(sentence, misfit).toWellFormed();
}

export function formatMissing(keys: readonly string[]): string {
  if (keys.length === 0) return 'The answer contains no JSON that fits.';
  return `The answer contains no JSON object with the ${formatKeys(keys)}.`;
}

/** Suggests to a model what to send instead. */
export function suggest(keys: readonly string[]): string {
  const what = keys.length === 0 ? 'one JSON document' : `one JSON object with the ${formatKeys(keys)}`;
  return `Respond with only ${what}; no Markdown, no explanation.`;
}

function formatKeys(keys: readonly string[]): string {
  return `${keys.length === 1 ? 'key' : 'keys'} ${formatList(keys, namedKeys)}`;
}
