import { outputLimits } from './limits.ts';
import { spanFrom } from './scan.ts';
import { formatCount } from '../text/text.ts';

export type Parsed =
  | { kind: 'json'; value: unknown; cleaned: boolean }
  /** The text is JSON, or nearly, but must not be used. */
  | { kind: 'refused'; reason: string }
  | { kind: 'broken' };

/** Keys that reach the prototype of the object that they are copied to. */
const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Parses a whole text within the limits; `cleaned` when unsafe keys were dropped or half characters replaced. */
export function parseJson(text: string, maxDepth: number): Parsed {
  const start = text.search(/\S/);
  const nested = text[start] === '{' || text[start] === '[';
  const span = nested ? spanFrom(text, start) : { depth: 0, values: 1, members: 0 };
  if (span.depth > maxDepth) return refused(`is nested deeper than ${formatCount(maxDepth, 'level')}`);
  if (span.values > outputLimits.values) return refused(`has more than ${formatCount(outputLimits.values, 'value')}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken' };
  }
  return clean(value, span.members);
}

function refused(what: string): Parsed {
  return { kind: 'refused', reason: `The answer ${what}.` };
}

/**
 * The value is our own, so it is cleaned in place. `membersWritten` are the keys in the text: when fewer arrived, an object has a key
 * twice, and choosing one of them would be a guess.
 */
function clean(root: unknown, membersWritten: number): Parsed {
  const holder = [root];
  const open: object[] = [holder];
  let members = 0;
  let cleaned = false;
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const entries: [string, unknown][] = Object.entries(container);
    if (!Array.isArray(container)) members += entries.length;
    for (const [key, value] of entries) {
      if (!key.isWellFormed()) return refused('has a key with half a character in it');
      if (unsafeKeys.has(key)) {
        Reflect.deleteProperty(container, key);
        cleaned = true;
      }
      if (typeof value === 'number' && !Number.isFinite(value)) return refused('has a number that is too large');
      if (typeof value === 'string' && !value.isWellFormed() && !unsafeKeys.has(key)) {
        Reflect.set(container, key, value.toWellFormed());
        cleaned = true;
      }
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  if (members < membersWritten) return refused('has the same key twice in one object');
  return { kind: 'json', value: holder[0], cleaned };
}
