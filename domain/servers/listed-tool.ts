import { limits } from '../limits/domain-limits.ts';
import { clip } from '../text/text.ts';
import { readHints } from './hints.ts';
import type { Hints } from '../types/basic/tool-server.ts';

/** A tool as its server describes it, checked. */
export interface ListedTool {
  /** Its name at the server. */
  name: string;
  description: string;
  /** JSON schema of its arguments: an object. */
  input: Record<string, unknown>;
  hints: Hints;
}

const mostName = 128;

/** Reads one tool of a list; undefined where it has no name or takes no object, so that nobody could call it. */
export function readListedTool(value: unknown): ListedTool | undefined {
  if (!isTable(value)) return undefined;
  const { name, description, inputSchema, annotations, _meta: meta } = value;
  if (typeof name !== 'string' || name.trim() === '' || name.length > mostName) return undefined;
  if (!isTable(inputSchema) || inputSchema['type'] !== 'object') return undefined;
  const { $schema: _, ...input } = inputSchema;
  return {
    name,
    description: typeof description === 'string' ? clip(description.trim(), limits.servers.description) : '',
    input,
    hints: readHints(annotations, meta),
  };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
