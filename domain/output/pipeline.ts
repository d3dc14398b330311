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
 * The strongest repair of an answer: `unwrapped` from a Markdown fence, a byte order mark or blanks; `extracted` from surrounding text;
 * `cleaned` of unsafe keys or half characters; `mended` where it was not JSON; `completed` where it was cut off, so that something may be
 * missing. Up to `extracted` the JSON is used as it was sent; the last two are guesses.
 */
export type Repair = 'unwrapped' | 'extracted' | 'cleaned' | 'mended' | 'completed';

export interface InvalidOutput {
  kind: 'invalid';
  /** One plain sentence. */
  reason: string;
  /** An instruction to a model on how to reply instead. */
  suggestion: string;
}

/** `ok` means that the text is the JSON, as it was sent. */
export type OutputReading<T> = { kind: 'ok'; value: T } | { kind: 'repaired'; value: T; how: Repair } | InvalidOutput;

export interface OutputOptions<T> {
  schema: z.ZodType<T>;
  /** Keys that identify the answer among objects. Default: the required keys of an object schema. */
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
type SearchResult = { kind: 'found'; value: unknown; how: Repair } | { kind: 'refused'; reason: string };

/**
 * Reads the JSON in a model's or program's answer. Never throws and has no side effect, whatever the text. An object inside another object
 * is never taken for the answer.
 */
export function readOutput<T>(text: string, options: OutputOptions<T>): OutputReading<T> {
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
  const candidate = search(text, {
    schema,
    keys,
    maxDepth,
    candidatesLeft: outputLimits.candidates,
    valuesLeft: outputLimits.values,
    mendLeft: outputLimits.mendedCharacters,
  });
  if (candidate === undefined) return invalid(reason);
  if (candidate.kind === 'refused') return invalid(candidate.reason);
  const fit = fitSchema(candidate.value, schema);
  return fit.fits ? { kind: 'repaired', value: fit.value, how: candidate.how } : invalid(fit.explain());
}

function requiredKeys(schema: z.ZodType): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return fields.filter(([, field]) => field._zod.optin !== 'optional').map(([key]) => key);
}

/** The content of a fence is preferred to text around it, unless the answer begins with its object. */
function search<T>(text: string, reader: Reader<T>): SearchResult | undefined {
  const whole = text.trim();
  const bodies = fencedBodies(whole);
  for (const source of nextObject(whole, 0) === 0 ? [whole, ...bodies] : [...bodies, whole]) {
    const parsed = parseJson(source, reader.maxDepth);
    const candidate = take(parsed, 'unwrapped', reader);
    if (candidate !== undefined) return candidate;
    if (parsed.kind === 'json' && isObject(parsed.value)) continue;
    const inside = searchObjects(source, reader) ?? mendList(source, reader);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Takes the first object that is the answer, repaired where it is, so that a stray comma does not let a later object win. */
function searchObjects<T>(source: string, reader: Reader<T>): SearchResult | undefined {
  let start = nextObject(source, 0);
  while (start !== -1 && reader.candidatesLeft > 0 && reader.valuesLeft > 0) {
    reader.candidatesLeft--;
    const { end, values } = spanFrom(source, start);
    const object = source.slice(start, end);
    const parsed = parseJson(object, reader.maxDepth);
    const candidate =
      parsed.kind === 'broken'
        ? take(mend(object, reader), end === undefined ? 'completed' : 'mended', reader)
        : take(parsed, 'extracted', reader);
    if (candidate !== undefined || end === undefined) return candidate;
    reader.valuesLeft -= values;
    start = nextObject(source, end);
  }
  return undefined;
}

/** The answer itself may be a list. */
function mendList<T>(source: string, reader: Reader<T>): SearchResult | undefined {
  if (!source.startsWith('[')) return undefined;
  return take(mend(source, reader), spanFrom(source, 0).end === undefined ? 'completed' : 'mended', reader);
}

function mend<T>(text: string, reader: Reader<T>): Parsed {
  if (text.length > reader.mendLeft || !reader.keys.every((key) => text.includes(key))) return { kind: 'broken' };
  reader.mendLeft -= text.length;
  return mendJson(text, reader.maxDepth);
}

/** Decides if a value is the answer. Without identifying keys, only a value that fits the schema is. */
function take<T>(parsed: Parsed, how: Repair, { keys, schema }: Reader<T>): SearchResult | undefined {
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
    // The error is built on demand, because building it is most of the work.
    return result.success
      ? { fits: true, value: result.data }
      : { fits: false, explain: () => explainMisfit(result.error) };
  } catch (error) {
    // A schema's transform may throw, or a recursive schema overflow, on an unforeseen value.
    return { fits: false, explain: () => formatUnchecked(error) };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
