import { findValues, type JsonValue } from '../output/find-values.ts';
import { outputLimits } from '../output/limits.ts';
import { withoutThoughts } from '../output/thoughts.ts';
import { fitsBytes } from '../text/text.ts';
import { coerceJudgement, type VerdictBasis, type Coerced } from './coerce-judgement.ts';
import { isAboutOthers } from './quotations.ts';
import { readProse, readRemarks } from './read-prose.ts';
import type { JudgeReading } from './reading.ts';
import { denies } from './verdict-words.ts';

/*
 * A reply passes only if it holds an explicit yes of the judge itself and nothing that contradicts it. Among several objects, those with
 * `passed` take precedence, then the last one: judges quote the work first and state their opinion afterwards.
 */

/** Reads a judge's reply in any form; undefined where its meaning is unclear. Never throws. */
export function readJudgement(text: string, criteria: readonly string[]): JudgeReading | undefined {
  if (!fitsBytes(text, outputLimits.bytes)) return undefined;
  const answer = withoutQuotations(withoutOpenThoughts(withoutThoughts(unquote(text))));
  const values = findValues(answer);
  if (values === undefined) return undefined;
  if (values.length > 0) return readObjects(answer, values, criteria);
  return hasObject(answer) ? undefined : readProse(answer, criteria);
}

interface Candidate {
  json: JsonValue;
  reading: JudgeReading;
  basis: VerdictBasis;
}

function readObjects(
  answer: string,
  values: readonly JsonValue[],
  criteria: readonly string[],
): JudgeReading | undefined {
  const coerced = values.map((json) => ({ place: json, coerced: coerceJudgement(json.value, criteria) }));
  const candidates = coerced.flatMap(({ place: json, coerced: each }): Candidate[] =>
    each?.kind === 'read' && !(isYes(each.reading) && isQuoted(answer, json)) ? [{ json, ...each }] : [],
  );
  const last = chooseCandidate(candidates);
  if (last === undefined) return undefined;
  const remarks = withoutValues(answer, values).trim();
  const around = readRemarks(remarks, criteria);
  if (!isYes(last.reading))
    return around.strong.some((word) => word === 'pass' || word === 'warn') ? undefined : { ...last.reading, remarks };
  const isBroken = coerced.some(({ place: json, coerced: each }) => isUnsound(json, each));
  const isDenied =
    candidates.some(({ reading, basis }) => !isYes(reading) && (basis !== 'weak' || last.basis !== 'passed')) ||
    around.strong.some((word) => word !== 'pass' && word !== 'warn') ||
    around.blocksPass ||
    denies(withoutValues(answer, values, last.json.end));
  if (isBroken || isDenied) return undefined;
  return around.hasFailedCriterion ? { ...last.reading, remarks, verdict: 'fail' } : { ...last.reading, remarks };
}

const isYes = ({ verdict }: JudgeReading): boolean => verdict === 'pass' || verdict === 'warn';

const isUnsound = ({ isCut, value }: JsonValue, coerced: Coerced | undefined): boolean =>
  isCut || value === undefined || coerced?.kind === 'contradicts';

const order: readonly VerdictBasis[] = ['passed', 'verdict', 'weak'];

function chooseCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const best = order.find((basis) => candidates.some((each) => each.basis === basis));
  return candidates.findLast(({ basis }) => basis === best);
}

/** Text that may precede an answer on its line: the end of a sentence, or a heading. */
const introduces =
  /(?:[:.!?=>→)\]*`-]|\b(?:verdict|answer|judge?ment|json|conclusion|decision|evaluation|assessment))[\s*_`"']*$/iu;

/** Recognises an object inside a sentence about something else: a quotation is not the judge's verdict. */
function isQuoted(answer: string, { start, end }: JsonValue): boolean {
  const from = answer.lastIndexOf('\n', start - 1) + 1;
  const before = answer.slice(Math.max(from, start - longestLine), start).trim();
  const lineEnd = answer.indexOf('\n', end);
  const behind = answer.slice(end, Math.min(lineEnd === -1 ? answer.length : lineEnd, end + longestLine)).trim();
  if (/^(?:<\/\w{1,30}>\s*)?[\p{Ll}(]/u.test(behind) || /(?:\/\*+|<!--+)$/.test(before)) return true;
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

/** `The agent printed:` on the line before, with at most a fence between. */
function isIntroducedAsReport(before: string): boolean {
  const lines = before.split('\n').map((each) => each.trim());
  const line = lines.findLast((each) => each !== '' && !each.startsWith('```')) ?? '';
  return line.endsWith(':') && isAboutOthers(line);
}

/** Returns the text between the objects. */
function withoutValues(text: string, values: readonly JsonValue[], from = 0): string {
  let at = from;
  const parts: string[] = [];
  for (const { start, end } of values) {
    if (start >= at) parts.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)].join('\n');
}

/** An answer can be wrapped in a JSON string. */
function unquote(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** Some templates put the opening tag into the prompt: everything up to the closing tag is thinking. */
const closingThought = /<\/(?:think|thinking|thought|reasoning|scratchpad)>/gi;

function withoutOpenThoughts(text: string): string {
  const last = [...text.matchAll(closingThought)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

/** A judge's quotations from the work are not its own statements, and it has taken back what it struck out. */
const withoutQuotations = (text: string): string =>
  text.replace(/^[ \t]{0,3}>.*$/gm, '').replace(/~~[^~\n]{1,300}~~/g, '');

/** A reply with a broken object is not read as prose, since one of its lines is only a part. */
const hasObject = (text: string): boolean => /\{\s*["'\w]/.test(text);
