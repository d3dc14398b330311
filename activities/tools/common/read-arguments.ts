import * as z from 'zod';
import { readOutput, type Repair } from '../../../domain/output/pipeline.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { Tool } from './tool.ts';

/** Arguments of a call that were read; `text` is for the model. */
export type Arguments<A> = { kind: 'valid'; args: A } | { kind: 'invalid'; text: string };

/** A text of a model is used as it is, or not at all, where a guess could change something. */
const asSent: ReadonlySet<Repair> = new Set(['unwrapped']);

/** Most names that a text for a model lists. */
export const mostNamed = 20;

/**
 * Reads the arguments of a call from a model's text. Text that is nearly JSON is repaired for tools that only read; for others a cut or
 * broken text is invalid: half a file must not be written.
 */
export function readArguments<A>(tool: Tool<A>, input: string): Arguments<A> {
  // Providers send nothing for a call without arguments.
  const read = readOutput(input.trim() === '' ? '{}' : input, { schema: tool.schema });
  if (read.kind === 'invalid') return invalid(tool, read.reason);
  if (read.kind === 'repaired' && tool.kind !== 'reads' && !asSent.has(read.how)) {
    return invalid(tool, 'The text is not exactly one JSON object, or was cut off.');
  }
  return { kind: 'valid', args: read.value };
}

function invalid(tool: Tool, reason: string): { kind: 'invalid'; text: string } {
  const keys = formatKeys(tool.schema);
  return { kind: 'invalid', text: `${tool.name} was not run. ${reason} Send one JSON object with ${keys}.` };
}

function formatKeys(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodObject)) return 'its arguments';
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return formatList(
    fields.map(([key, field]) => (field._zod.optin === 'optional' ? `${key} (optional)` : key)),
    mostNamed,
  );
}
