import { outputLimits } from './limits.ts';
import { mendJson } from './mend.ts';
import { parseJson } from './parse.ts';
import { nextObject, spanFrom } from './scan.ts';

/** An object, or a list of objects, in a text. */
export interface JsonValue {
  start: number;
  end: number;
  /** Undefined where the text is no JSON, cannot be repaired, or must not be used (a repeated key, too deep). */
  value: unknown;
  /** The text ends inside the value, which holds the readable part. */
  isCut: boolean;
}

/** A list whose first member is an object; only blanks may separate the two brackets. */
const listBefore = /\[\s{0,100}$/;

/**
 * Lists all objects and lists of objects of a text in order, without those inside others. Never throws. Undefined where the text has more
 * of them than the limit.
 */
export function findValues(text: string): JsonValue[] | undefined {
  const values: JsonValue[] = [];
  let mendLeft: number = outputLimits.mendedCharacters;
  let valuesLeft: number = outputLimits.values;
  let from = 0;
  for (let start = nextObject(text, 0); start !== -1; start = nextObject(text, from)) {
    if (values.length === outputLimits.candidates || valuesLeft <= 0) return undefined;
    const list = listBefore.exec(text.slice(Math.max(from, start - 101), start));
    const begin = list === null ? start : start - list[0].length;
    const span = spanFrom(text, begin);
    const end = span.end ?? text.length;
    const source = text.slice(begin, end);
    let parsed = parseJson(source, outputLimits.depth);
    if (parsed.kind === 'broken' && source.length <= mendLeft) {
      mendLeft -= source.length;
      parsed = mendJson(source, outputLimits.depth);
    }
    values.push({
      start: begin,
      end,
      value: parsed.kind === 'json' ? parsed.value : undefined,
      isCut: span.end === undefined,
    });
    valuesLeft -= span.values;
    from = end;
  }
  return values;
}
