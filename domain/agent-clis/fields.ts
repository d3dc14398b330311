import type { CliError, Denial } from '../types/basic/completion-contract.ts';
import { isTable } from '../input/is-table.ts';
import { clip, clipStart, oneLine } from '../text/text.ts';
import { limits } from '../limits/domain-limits.ts';
import { cliLimits } from './limits.ts';
import { parseWait } from './parse-wait.ts';

/* Values of unknown origin, read with care: nothing that a program prints may crash its reader. */

export type Fields = Readonly<Record<string, unknown>>;

/** A line that is one JSON object; undefined for everything else. */
export function parseLine(line: string): Fields | undefined {
  const trimmed = line.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > cliLimits.line) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const own = (fields: Fields | undefined, key: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;

export function tableIn(fields: Fields | undefined, key: string): Fields | undefined {
  const value = own(fields, key);
  return isTable(value) ? value : undefined;
}

export function listIn(fields: Fields | undefined, key: string): readonly unknown[] {
  const value = own(fields, key);
  return Array.isArray(value) ? value : [];
}

export function textIn(fields: Fields | undefined, key: string): string | undefined {
  const value = own(fields, key);
  return typeof value === 'string' ? value.toWellFormed() : undefined;
}

/** An amount: neither negative nor without end. */
export function amountIn(fields: Fields | undefined, key: string): number | undefined {
  const value = own(fields, key);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A price; undefined where it is none that one run of a program can have. */
export function costIn(fields: Fields | undefined, key: string): number | undefined {
  const value = amountIn(fields, key);
  return value !== undefined && value <= limits.attemptUsd ? value : undefined;
}

/** Whole numbers alone: half a token is a mistake. */
export function countIn(fields: Fields | undefined, key: string): number | undefined {
  const value = amountIn(fields, key);
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

export const sumIn = (fields: Fields | undefined, keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + (countIn(fields, key) ?? 0), 0);

export const flagIn = (fields: Fields | undefined, key: string): boolean | undefined => {
  const value = own(fields, key);
  return typeof value === 'boolean' ? value : undefined;
};

export function sessionIn(fields: Fields, key: string): string | undefined {
  const id = textIn(fields, key);
  // It becomes an argument of the next start: nothing but an id may.
  return id !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id) && id.length <= cliLimits.session ? id : undefined;
}

/** An error with bounded words. */
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

/** What a tool was to be given, in the words that say most. */
export function wantedBy(input: Fields | undefined): string {
  const candidates = ['command', 'cmd', 'file_path', 'filePath', 'path', 'url'].map((key) => textIn(input, key));
  return candidates.find((text) => text !== undefined) ?? JSON.stringify(input ?? {});
}

/** Texts that a program says one after another, bounded: the end is what counts. */
export class TextTail {
  #text = '';

  add(text: string): void {
    this.#text = clipStart(this.#text + text, cliLimits.text);
  }

  get text(): string {
    return this.#text;
  }
}
