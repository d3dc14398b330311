import { z } from 'zod';
import { readOutput } from '../output/pipeline.ts';
import { withoutThoughts } from '../output/thoughts.ts';
import { coerceJudgement } from './coerce-judgement.ts';
import { readProse } from './read-prose.ts';
import type { Reading } from './reading.ts';

/** What a judge's answer says, in whatever form; undefined where nobody could say what it means. Never throws. */
export function readJudgement(text: string, criteria: readonly string[]): Reading | undefined {
  const said = unquoted(withoutThoughts(text));
  const schema = z.unknown().transform((value, context): Reading => {
    const reading = coerceJudgement(value, criteria);
    if (reading !== undefined) return reading;
    context.addIssue({ code: 'custom', message: 'no verdict' });
    return z.NEVER;
  });
  const read = readOutput(said, { schema, keys: [] });
  if (read.kind !== 'invalid') return read.value;
  return hasObject(said) ? undefined : readProse(said, criteria);
}

/** An answer as a string of JSON. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** What was meant as JSON is not read as prose: a line of a broken object is a part of something larger. */
const hasObject = (text: string): boolean => /\{\s*["'\w]/.test(text);
