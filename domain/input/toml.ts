import { parse, TomlError } from 'smol-toml';
import { HeddleError } from '../errors/heddle-error.ts';
import { isTable } from './is-table.ts';
import { planLimits } from './limits.ts';
import { findTomlLocations, type TomlLocations } from './toml-locations.ts';

/** A config file as text, and its name in errors. */
export interface TomlSource {
  name: string;
  text: string;
}

export interface ParsedToml {
  value: Record<string, unknown>;
  locations: TomlLocations;
}

/** Parses TOML 1.0 to plain values, with the positions of its keys. Throws a `CONFIG_SYNTAX` error with line and column. */
export function parseToml(source: TomlSource): ParsedToml {
  try {
    const value = plain(parse(source.text, { maxDepth: planLimits.depth, unsafeKeyBehaviour: 'throw' }));
    return { value: isTable(value) ? value : {}, locations: findTomlLocations(source.text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new HeddleError({
      code: 'CONFIG_SYNTAX',
      message: `This cannot be read as TOML: ${formatReason(error)}.`,
      where: `${source.name}:${error.line}:${error.column}`,
      hint: 'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    });
  }
}

/** Plain wordings of the library's messages. */
const plainReasons: Record<string, string> = {
  'illegal character in numeric literal': 'this value is neither a number nor a string in quotes',
  'invalid value': 'the value is missing, or is a string without quotes',
  'control characters are not allowed in strings': 'a string in quotes ends on its own line',
  'unfinished string': 'the quotes are not closed',
  'trying to redefine an already defined table or value': 'this key or table is given twice',
  'document contains an unsafe property': 'this name is reserved by JavaScript',
};

/** Keeps the first sentence. The library repeats lines of the file below it, which may hold secrets. */
function formatReason(error: TomlError): string {
  const message = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '').replace(/\.$/, '');
  return plainReasons[message] ?? message;
}

/** Copies tables with the ordinary object prototype. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  const table: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(table, key, { value: plain(item), enumerable: true, configurable: true, writable: true });
  }
  return table;
}
