import type { CliError, Denial } from '../types/basic/completion-contract.ts';
import { isTable } from '../input/is-table.ts';
import { clip, clipStart, oneLine } from '../text/text.ts';
import { limits } from '../limits/domain-limits.ts';
import { cliLimits } from './limits.ts';
import { parseWait } from './parse-wait.ts';

/* Values of unknown origin are read with checks, so that no program's output can crash its reader. */

export type JsonFields = Readonly<Record<string, unknown>>;

/** Parses a line that is one JSON object; undefined for everything else. */
export function parseLine(line: string): JsonFields | undefined {
  const trimmed = line.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > cliLimits.line) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const getField = (fields: JsonFields | undefined, key: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;

export function tableIn(fields: JsonFields | undefined, key: string): JsonFields | undefined {
  const value = getField(fields, key);
  return isTable(value) ? value : undefined;
}

export function listIn(fields: JsonFields | undefined, key: string): readonly unknown[] {
  const value = getField(fields, key);
  return Array.isArray(value) ? value : [];
}

export function textIn(fields: JsonFields | undefined, key: string): string | undefined {
  const value = getField(fields, key);
  return typeof value === 'string' ? value.toWellFormed() : undefined;
}

/** Reads an amount: finite and not negative. */
export function amountIn(fields: JsonFields | undefined, key: string): number | undefined {
  const value = getField(fields, key);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Reads a price; undefined above the limit for one run of a program. */
export function costIn(fields: JsonFields | undefined, key: string): number | undefined {
  const value = amountIn(fields, key);
  return value !== undefined && value <= limits.attemptUsd ? value : undefined;
}

/** Reads a whole number, because half a token is a mistake. */
export function countIn(fields: JsonFields | undefined, key: string): number | undefined {
  const value = amountIn(fields, key);
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

export const sumIn = (fields: JsonFields | undefined, keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + (countIn(fields, key) ?? 0), 0);

export const flagIn = (fields: JsonFields | undefined, key: string): boolean | undefined => {
  const value = getField(fields, key);
  return typeof value === 'boolean' ? value : undefined;
};

export function sessionIn(fields: JsonFields, key: string): string | undefined {
  const id = textIn(fields, key);
  // The id becomes an argument of the next start, so it must not be anything else.
  return id !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id) && id.length <= cliLimits.session ? id : undefined;
}

/** Builds an error with bounded text. */
export function buildCliError(
  message: string,
  facts: Omit<CliError, 'message' | 'names'> & { names?: readonly (string | undefined)[] } = {},
): CliError {
  const { names = [], ...rest } = facts;
  const wait = rest.retryAfterMs ?? parseWait(message);
  return {
    ...rest,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    message: clip(message.trim(), cliLimits.message),
    names: names
      .filter((name) => name !== undefined && name !== '')
      .map((name) => clip(name ?? '', cliLimits.name))
      .slice(0, cliLimits.names),
  };
}

export const buildDenial = (tool: string, what: string): Denial => ({
  tool: clip(oneLine(tool), cliLimits.name),
  what: clip(oneLine(what), cliLimits.denial),
});

/** Returns the most informative argument of a tool call. */
export function describeToolInput(input: JsonFields | undefined): string {
  const candidates = ['command', 'cmd', 'file_path', 'filePath', 'path', 'url'].map((key) => textIn(input, key));
  return candidates.find((text) => text !== undefined) ?? JSON.stringify(input ?? {});
}

/** Consecutive texts of a program, bounded: the end is kept. */
export class TextTail {
  #text = '';

  add(text: string): void {
    this.#text = clipStart(this.#text + text, cliLimits.text);
  }

  get text(): string {
    return this.#text;
  }
}
