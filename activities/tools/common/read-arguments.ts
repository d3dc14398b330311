import * as z from 'zod';
import { readOutput, type Repair } from '../../../domain/output/pipeline.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { Tool } from './tool.ts';

/** `text` is for the model. */
export type Arguments<A> = { kind: 'valid'; args: A } | { kind: 'invalid'; text: string };

/** What a model wrote is used as it is, or not at all, where a guess could change something. */
const asSent: ReadonlySet<Repair> = new Set(['unwrapped']);

const mostNamed = 20;

/**
 * The arguments of a call in what a model wrote. What is nearly JSON is mended for tools that only read; for others a cut or broken text
 * is invalid: half a file must not be written.
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

/** The tool that a model calls, or a text for it that names those it has. */
export function findTool(tools: readonly Tool[], name: string): Tool | string {
  const match = tools.find((tool) => tool.name === name);
  if (match !== undefined) return match;
  const names = tools.map((tool) => tool.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is no tool of that name.${hint} You have ${formatList(names, mostNamed)}.`;
}
