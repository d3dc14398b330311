import { z } from 'zod';
import { outputLimits } from './limits.ts';
import { fencedBodies } from './fences.ts';
import { mendJson } from './mend.ts';
import type { Parsed } from './parse.ts';
import { parseJson } from './parse.ts';
import { explainMisfit, formatMissing, formatUnchecked, suggest } from './reason.ts';
import { nextObject, spanFrom } from './scan.ts';
import { fitsBytes, formatCount } from '../text/text.ts';

/**
 * What was done to an answer, the strongest of it:
 * `unwrapped` from a Markdown fence, a byte order mark or blanks; `extracted` from words around it; `cleaned` of unsafe keys
 * or half characters; `mended` where it was not JSON; `completed` where it ended too early, so that something may be missing.
 * Up to `extracted` the JSON is used as it was sent; the last two are guesses.
 */
export type Repair = 'unwrapped' | 'extracted' | 'cleaned' | 'mended' | 'completed';

export interface InvalidOutput {
  kind: 'invalid';
  /** One plain sentence. */
  reason: string;
  /** What to send instead, said to a model. */
  suggestion: string;
}

/** `ok` means that the text is the JSON, as it was sent. */
export type Outcome<T> = { kind: 'ok'; value: T } | { kind: 'repaired'; value: T; how: Repair } | InvalidOutput;

export interface OutputOptions<T> {
  schema: z.ZodType<T>;
  /** What an object must have to be taken for the answer. Default: the required keys of an object schema. */
  keys?: readonly string[];
  maxBytes?: number;
  maxDepth?: number;
}

interface Reader<T> {
  schema: z.ZodType<T>;
  keys: readonly string[];
  maxDepth: number;
  candidatesLeft: number;
  valuesLeft: number;
  mendLeft: number;
}

type Fit<T> = { fits: true; value: T } | { fits: false; explain: () => string };
type Found = { kind: 'found'; value: unknown; how: Repair } | { kind: 'refused'; reason: string };

/**
 * Reads the JSON in a model's or program's answer. Never throws and changes nothing outside, whatever the text.
 * An object is never taken out of another object: what stands inside the answer is not the answer.
 */
export function readOutput<T>(text: string, options: OutputOptions<T>): Outcome<T> {
  const { schema, keys = requiredKeys(schema), maxBytes = outputLimits.bytes } = options;
  const { maxDepth = outputLimits.depth } = options;
  const invalid = (reason: string): InvalidOutput => ({ kind: 'invalid', reason, suggestion: suggest(keys) });
  if (!fitsBytes(text, maxBytes)) return invalid(`The answer is longer than ${formatCount(maxBytes, 'byte')}.`);
  if (text.trim() === '') return invalid('The answer is empty.');

  const whole = parseJson(text, maxDepth);
  if (whole.kind === 'refused') return invalid(whole.reason);
  let reason = formatMissing(keys);
  if (whole.kind === 'json') {
    const fit = fitSchema(whole.value, schema);
    if (fit.fits) {
      return whole.cleaned ? { kind: 'repaired', value: fit.value, how: 'cleaned' } : { kind: 'ok', value: fit.value };
    }
    if (isObject(whole.value)) return invalid(fit.explain());
    reason = fit.explain();
  }
  const found = search(text, {
    schema,
    keys,
    maxDepth,
    candidatesLeft: outputLimits.candidates,
    valuesLeft: outputLimits.values,
    mendLeft: outputLimits.mendedCharacters,
  });
  if (found === undefined) return invalid(reason);
  if (found.kind === 'refused') return invalid(found.reason);
  const fit = fitSchema(found.value, schema);
  return fit.fits ? { kind: 'repaired', value: fit.value, how: found.how } : invalid(fit.explain());
}

function requiredKeys(schema: z.ZodType): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return fields.filter(([, field]) => field._zod.optin !== 'optional').map(([key]) => key);
}

/** What a fence holds is preferred to what stands between the words, but not when the answer begins with its object. */
function search<T>(text: string, reader: Reader<T>): Found | undefined {
  const whole = text.trim();
  const bodies = fencedBodies(whole);
  for (const source of nextObject(whole, 0) === 0 ? [whole, ...bodies] : [...bodies, whole]) {
    const parsed = parseJson(source, reader.maxDepth);
    const found = take(parsed, 'unwrapped', reader);
    if (found !== undefined) return found;
    if (parsed.kind === 'json' && isObject(parsed.value)) continue;
    const inside = searchObjects(source, reader) ?? mendList(source, reader);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** The first object that is the answer, mended in its place: a later one must not win because an earlier one has a comma too much. */
function searchObjects<T>(source: string, reader: Reader<T>): Found | undefined {
  let start = nextObject(source, 0);
  while (start !== -1 && reader.candidatesLeft > 0 && reader.valuesLeft > 0) {
    reader.candidatesLeft--;
    const { end, values } = spanFrom(source, start);
    const object = source.slice(start, end);
    const parsed = parseJson(object, reader.maxDepth);
    const found =
      parsed.kind === 'broken'
        ? take(mend(object, reader), end === undefined ? 'completed' : 'mended', reader)
        : take(parsed, 'extracted', reader);
    if (found !== undefined || end === undefined) return found;
    reader.valuesLeft -= values;
    start = nextObject(source, end);
  }
  return undefined;
}

/** A list that is the answer itself. */
function mendList<T>(source: string, reader: Reader<T>): Found | undefined {
  if (!source.startsWith('[')) return undefined;
  return take(mend(source, reader), spanFrom(source, 0).end === undefined ? 'completed' : 'mended', reader);
}

function mend<T>(text: string, reader: Reader<T>): Parsed {
  if (text.length > reader.mendLeft || !reader.keys.every((key) => text.includes(key))) return { kind: 'broken' };
  reader.mendLeft -= text.length;
  return mendJson(text, reader.maxDepth);
}

/** Whether this is the answer. Without keys to know it by, only what fits is. */
function take<T>(parsed: Parsed, how: Repair, { keys, schema }: Reader<T>): Found | undefined {
  if (parsed.kind === 'broken') return undefined;
  if (parsed.kind === 'refused') return parsed;
  const { value, cleaned } = parsed;
  const isAnswer =
    isObject(value) && keys.length > 0 ? keys.every((key) => Object.hasOwn(value, key)) : fitSchema(value, schema).fits;
  if (!isAnswer) return undefined;
  return { kind: 'found', value, how: cleaned && how !== 'mended' && how !== 'completed' ? 'cleaned' : how };
}

function fitSchema<T>(value: unknown, schema: z.ZodType<T>): Fit<T> {
  try {
    const result = schema.safeParse(value);
    // Building the error is most of the work, and who only asks whether it fits does not need it.
    return result.success
      ? { fits: true, value: result.data }
      : { fits: false, explain: () => explainMisfit(result.error) };
  } catch (error) {
    // A transform of the schema that throws, or a schema that recurses, on a value nobody thought of.
    return { fits: false, explain: () => formatUnchecked(error) };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
