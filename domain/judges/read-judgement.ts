import { findValues, type JsonValue } from '../output/find-values.ts';
import { outputLimits } from '../output/limits.ts';
import { withoutThoughts } from '../output/thoughts.ts';
import { fitsBytes } from '../text/text.ts';
import { coerceJudgement, type Basis, type Coerced } from './coerce-judgement.ts';
import { isAboutOthers } from './quotations.ts';
import { readProse, wordsAround } from './read-prose.ts';
import type { Reading } from './reading.ts';
import { denies } from './verdict-words.ts';

/*
 * An answer is a pass only where it holds an explicit yes of the judge itself, and nothing in it says otherwise. Of several objects those
 * with `passed` go before all others, and the last before the first: judges quote what they look at, and then say what they think of it.
 */

/** What a judge's answer says, in whatever form; undefined where nobody could say what it means. Never throws. */
export function readJudgement(text: string, criteria: readonly string[]): Reading | undefined {
  if (!fitsBytes(text, outputLimits.bytes)) return undefined;
  const answer = withoutQuotations(withoutOpenThoughts(withoutThoughts(unquoted(text))));
  const values = findValues(answer);
  if (values === undefined) return undefined;
  if (values.length > 0) return readObjects(answer, values, criteria);
  return hasObject(answer) ? undefined : readProse(answer, criteria);
}

interface Candidate {
  place: JsonValue;
  reading: Reading;
  basis: Basis;
}

function readObjects(answer: string, values: readonly JsonValue[], criteria: readonly string[]): Reading | undefined {
  const coerced = values.map((place) => ({ place, coerced: coerceJudgement(place.value, criteria) }));
  const candidates = coerced.flatMap(({ place, coerced: each }): Candidate[] =>
    each?.kind === 'read' && !(isYes(each.reading) && isQuoted(answer, place)) ? [{ place, ...each }] : [],
  );
  const last = lastOf(candidates);
  if (last === undefined) return undefined;
  const remarks = withoutValues(answer, values).trim();
  const around = wordsAround(remarks, criteria);
  if (!isYes(last.reading))
    return around.strong.some((word) => word === 'pass' || word === 'warn') ? undefined : { ...last.reading, remarks };
  const isBroken = coerced.some(({ place, coerced: each }) => isUnsound(place, each));
  const isDenied =
    candidates.some(({ reading, basis }) => !isYes(reading) && (basis !== 'weak' || last.basis !== 'passed')) ||
    around.strong.some((word) => word !== 'pass' && word !== 'warn') ||
    around.blocksPass ||
    denies(withoutValues(answer, values, last.place.end));
  if (isBroken || isDenied) return undefined;
  return around.hasFailedCriterion ? { ...last.reading, remarks, verdict: 'fail' } : { ...last.reading, remarks };
}

const isYes = ({ verdict }: Reading): boolean => verdict === 'pass' || verdict === 'warn';

const isUnsound = ({ isCut, value }: JsonValue, coerced: Coerced | undefined): boolean =>
  isCut || value === undefined || coerced?.kind === 'contradicts';

const order: readonly Basis[] = ['passed', 'verdict', 'weak'];

function lastOf(candidates: readonly Candidate[]): Candidate | undefined {
  const best = order.find((basis) => candidates.some((each) => each.basis === basis));
  return candidates.findLast(({ basis }) => basis === best);
}

/** What may stand before an answer on its line: the end of a sentence, or the name of what follows. */
const introduces =
  /(?:[:.!?=>→)\]*`-]|\b(?:verdict|answer|judge?ment|json|conclusion|decision|evaluation|assessment))[\s*_`"']*$/iu;

/** Whether an object stands in a sentence about something else: what the judge quotes there is not what it says. */
function isQuoted(answer: string, { start, end }: JsonValue): boolean {
  const from = answer.lastIndexOf('\n', start - 1) + 1;
  const before = answer.slice(Math.max(from, start - longestLine), start).trim();
  const lineEnd = answer.indexOf('\n', end);
  const behind = answer.slice(end, Math.min(lineEnd === -1 ? answer.length : lineEnd, end + longestLine)).trim();
  if (/^[\p{Ll}(]/u.test(behind)) return true;
  const plain = before.replace(/```\w*/g, '').replace(/^[-*_#\s"'`]+/, '');
  if (plain === '') return isIntroducedAsReport(answer.slice(Math.max(0, from - longestLine), from));
  const sentence = lastSentence(plain);
  return !introduces.test(plain) || isAboutOthers(sentence);
}

const longestLine = 300;

const lastSentence = (text: string): string =>
  text
    .replace(/[.!?\s]+$/, '')
    .split(/[.!?]\s/)
    .at(-1) ?? '';

/** `The agent printed:` on the line before, with a fence between at most. */
function isIntroducedAsReport(before: string): boolean {
  const lines = before.split('\n').map((each) => each.trim());
  const line = lines.findLast((each) => each !== '' && !each.startsWith('```')) ?? '';
  return line.endsWith(':') && isAboutOthers(line);
}

/** The text between the objects. */
function withoutValues(text: string, values: readonly JsonValue[], from = 0): string {
  let at = from;
  const parts: string[] = [];
  for (const { start, end } of values) {
    if (start >= at) parts.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)].join('\n');
}

/** An answer as a string of JSON. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** Some templates put the opening tag into the prompt: all up to the closing one are thoughts. */
const closingThought = /<\/(?:think|thinking|thought|reasoning|scratchpad)>/gi;

function withoutOpenThoughts(text: string): string {
  const last = [...text.matchAll(closingThought)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

/** What a judge quotes from the work is not what it says. */
const withoutQuotations = (text: string): string => text.replace(/^[ \t]{0,3}>.*$/gm, '');

/** What was meant as JSON is not read as prose: a line of a broken object is a part of something larger. */
const hasObject = (text: string): boolean => /\{\s*["'\w]/.test(text);
