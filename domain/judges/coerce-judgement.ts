import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine } from '../text/text.ts';
import {
  confidenceKeys,
  criteriaKeys,
  evidenceKeys,
  feedbackKeys,
  fieldsOf,
  firstOf,
  flatKey,
  isCount,
  isTable,
  issueKeys,
  metKeys,
  passedKeys,
  reasonKeys,
  refusalKeys,
  summaryKey,
  unmetKeys,
  verdictKeys,
  weakKeys,
  wrapperKeys,
  type Fields,
} from './answer-fields.ts';
import { readConfidence } from './read-confidence.ts';
import {
  graveIssues,
  isGraveIssue,
  issueOf,
  issuesFromText,
  listsGraveIssue,
  namesGrave,
  namesUnmetCriterion,
  readIssues,
  readText,
} from './read-issues.ts';
import type { Reading, ReadIssue } from './reading.ts';
import { agree, denies, trailingWord, wordOf, type VerdictWord } from './verdict-words.ts';

/*
 * A judge is asked for one form and answers in many. Values are read as what they mean, but only an explicit yes is one: what says both
 * yes and no contradicts itself, and something that failed beside a yes fails the whole.
 */

/** What a verdict rests on: the key that is asked for, another verdict, or a no under a key that may be about anything. */
export type Basis = 'passed' | 'verdict' | 'weak';

/** What an object says: a verdict, or several that do not go together. */
export type Coerced = { kind: 'read'; reading: Reading; basis: Basis } | { kind: 'contradicts' };

const contradicts: Coerced = { kind: 'contradicts' };

/** Tables inside of tables that are looked into for the answer. */
const deepest = 3;

/** What a value says as the answer of a judge; undefined where it is none. */
export function coerceJudgement(value: unknown, criteria: readonly string[], depth = 0): Coerced | undefined {
  if (Array.isArray(value)) {
    if (value.length === 1) return depth < deepest ? coerceJudgement(value[0], criteria, depth + 1) : undefined;
    return coerceTable([['criteria', value]], criteria, deepest);
  }
  return isTable(value) ? coerceTable(fieldsOf(value), criteria, depth) : undefined;
}

function coerceTable(fields: Fields, criteria: readonly string[], depth: number): Coerced | undefined {
  const own = ownWords(fields);
  const inner = depth < deepest ? innerOf(fields, criteria, depth) : { readings: [], isAgainst: false };
  const entries = entriesOf(fields, criteria);
  const words = [...own.words, ...inner.readings.map(({ reading }) => reading.verdict)];
  const word = words.length === 0 ? entries.verdict : agree(words);
  if (word === 'contradicts') return contradicts;
  if (word === undefined) return own.blocksPass && inner.isAgainst ? contradicts : undefined;
  const [wrapped] = inner.readings;
  const given = firstOf(fields, issueKeys.map(flatKey));
  const listed = [...readIssues(given, criteria), ...(wrapped?.reading.issues ?? [])];
  const beside = [...entries.issues, ...unmetIssues(fields, criteria), ...graveIssues(fields, criteria)];
  const issues = merged(listed, beside);
  const reason = readReason(firstOf(fields, reasonKeys)) || (wrapped?.reading.reason ?? '');
  const verdict = weigh(word, { fields, entries, issues, given });
  const isYes = verdict === 'pass' || verdict === 'warn';
  const feedback = readText(firstOf(fields, feedbackKeys)) || (wrapped?.reading.feedback ?? '');
  if (isYes && namesUnmetCriterion(feedback)) return contradicts;
  if (isYes && (own.blocksPass || inner.isAgainst || /unmet|placeholder/i.test(reason))) return contradicts;
  const reading: Reading = {
    verdict,
    confidence: readConfidence(firstOf(fields, confidenceKeys)) ?? wrapped?.reading.confidence ?? entries.confidence,
    issues,
    feedback,
    missingEvidence: textsOf(firstOf(fields, evidenceKeys) ?? wrapped?.reading.missingEvidence),
    reason,
    remarks: '',
  };
  return { kind: 'read', reading, basis: own.basis ?? wrapped?.basis ?? 'verdict' };
}

interface OwnWords {
  words: VerdictWord[];
  /** Undefined where no key of the table itself says a verdict. */
  basis: Basis | undefined;
  /** Something here is meant as a verdict, and is no yes. */
  blocksPass: boolean;
}

function ownWords(fields: Fields): OwnWords {
  const own: OwnWords = { words: [], basis: undefined, blocksPass: false };
  for (const [key, value] of fields) {
    const isPassed = passedKeys.has(key);
    if (isTable(value) || (!isPassed && value === null)) continue;
    const word = isPassed && value === 1 && isCount(fields) ? undefined : wordUnder(key, value);
    if (word !== undefined) {
      own.words.push(word);
      own.basis = isPassed ? 'passed' : (own.basis ?? (verdictKeys.has(key) ? 'verdict' : 'weak'));
      if (own.basis === 'weak' && verdictKeys.has(key)) own.basis = 'verdict';
    } else if (isPassed || (verdictKeys.has(key) && typeof value === 'string' && denies(value))) own.blocksPass = true;
  }
  return own;
}

/** What a value says under its key. */
function wordUnder(key: string, value: unknown): VerdictWord | undefined {
  if (passedKeys.has(key)) return wordOf(value, 'passed');
  if (verdictKeys.has(key)) return wordOf(value);
  if (refusalKeys.has(key)) return isRefusal(value) ? 'fail' : undefined;
  const word = weakKeys.has(key) ? wordOf(value) : undefined;
  return word === 'fail' || word === 'partial' ? word : undefined;
}

const isRefusal = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : wordOf(value) === 'pass' || (typeof value === 'number' && value > 0);

interface Inner {
  /** Tables that hold the answer: `{"verdict": {"passed": true}}`, `{"judgement": {…}}`. */
  readings: { reading: Reading; basis: Basis }[];
  /** Another table says something that a yes does not go with. */
  isAgainst: boolean;
}

/** A yes in a table of any other name, such as evidence, is not the judge's. */
function innerOf(fields: Fields, criteria: readonly string[], depth: number): Inner {
  const inner: Inner = { readings: [], isAgainst: false };
  for (const [key, value] of fields) {
    if (!isTable(value) || criteriaKeys.has(key)) continue;
    const coerced = coerceJudgement(value, criteria, depth + 1);
    if (coerced === undefined) continue;
    if (coerced.kind === 'contradicts') inner.isAgainst = true;
    else if (wrapperKeys.has(key)) inner.readings.push(coerced);
    else if (coerced.reading.verdict !== 'pass' && coerced.reading.verdict !== 'warn') inner.isAgainst = true;
  }
  if (inner.readings.length > 0 || !inner.isAgainst) return inner;
  const only = fields.filter(([, value]) => isTable(value));
  const [, value] = only.length === 1 ? (only[0] ?? []) : [];
  const wrapped = fields.length === 1 && isTable(value) ? coerceJudgement(value, criteria, depth + 1) : undefined;
  return wrapped?.kind === 'read' ? { readings: [wrapped], isAgainst: false } : inner;
}

interface Entries {
  /** Undefined where they are no answer by themselves. */
  verdict: VerdictWord | undefined;
  hasFailed: boolean;
  hasPartial: boolean;
  issues: ReadIssue[];
  confidence: number | undefined;
}

/** One answer for each criterion: alone it is a yes only where every criterion has one. */
function entriesOf(fields: Fields, criteria: readonly string[]): Entries {
  const names = criteria.map(flatKey);
  const entries = fields.flatMap(([key, value]) => [
    ...entriesUnder(key, value),
    ...(summaryKey.test(key) || names.includes(key) ? refusalsUnder(key, value) : []),
  ]);
  const failed = entries.filter(({ word }) => word === 'fail' || word === 'partial');
  const hasFailed = failed.some(({ word }) => word === 'fail');
  const isWhole = entries.length > 0 && entries.length >= criteria.length;
  const isYes = isWhole && entries.every(({ word }) => word === 'pass');
  const sure = entries.flatMap(({ fields: each }) => readConfidence(firstOf(each, confidenceKeys)) ?? []);
  return {
    verdict: hasFailed ? 'fail' : failed.length > 0 ? 'partial' : isYes ? 'pass' : undefined,
    hasFailed,
    hasPartial: failed.length > 0,
    issues: failed.map(({ fields: each }) => issueOf(each, criteria) ?? { message: 'A criterion is not met.' }),
    confidence: sure.length === 0 ? undefined : Math.min(...sure),
  };
}

interface Entry {
  word: VerdictWord | undefined;
  fields: Fields;
}

function entriesUnder(key: string, value: unknown): Entry[] {
  const isNamed = criteriaKeys.has(key);
  if (Array.isArray(value)) {
    if (issueKeys.includes(key)) return [];
    return value.flatMap((each) =>
      isTable(each) ? entryOf(fieldsOf(each), isNamed) : isNamed ? plainEntry(each) : [],
    );
  }
  if (!isNamed || !isTable(value)) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    isTable(each)
      ? entryOf([['criterion', name], ...fieldsOf(each)], true)
      : plainEntry(each).map(({ word }) => ({ word, fields: [['criterion', name]] as const })),
  );
}

const plainEntry = (value: unknown): Entry[] => {
  const word = wordOf(value) ?? (typeof value === 'string' ? wordBehind(value) : undefined);
  return word === undefined ? [] : [{ word, fields: typeof value === 'string' ? [['message', value]] : [] }];
};

/** `the names: not met`, `Criterion 2 is not met`. */
const wordBehind = (text: string): VerdictWord | undefined => (namesUnmetCriterion(text) ? 'fail' : trailingWord(text));

/** What a key for criteria says against them: a yes under it is no entry, since nobody knows of how many. */
function refusalsUnder(key: string, value: unknown): Entry[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .flatMap((each) => (isTable(each) ? entryOf(fieldsOf(each), true) : plainEntry(each)))
    .filter(({ word }) => word === 'fail' || word === 'partial')
    .map(({ word, fields }) => ({ word, fields: [...fields, ['criterion', key] as const] }));
}

/** In a list of another name, what says nothing of passing is no entry. */
function entryOf(fields: Fields, isNamed: boolean): Entry[] {
  const own = ownWords(fields);
  const met = fields.flatMap(([key, value]) => (metKeys.has(key) ? (wordOf(value, 'passed') ?? []) : []));
  const word = agree([...own.words, ...met]);
  if (word === 'contradicts') return [{ word: 'fail', fields }];
  const [[name, value] = []] = fields;
  if (word === undefined && isNamed && fields.length === 1 && name !== undefined && !isTable(value))
    return plainEntry(value).map((each) => ({ word: each.word, fields: [['criterion', name]] as const }));
  return word === undefined && !isNamed ? [] : [{ word: own.blocksPass && word === 'pass' ? undefined : word, fields }];
}

interface Beside {
  fields: Fields;
  entries: Entries;
  issues: readonly ReadIssue[];
  /** Issues as they were written. */
  given: unknown;
}

/** What is wrong beside a yes: a failed criterion, or an issue that calls itself grave, fails it; any other issue is a warning. */
function weigh(word: VerdictWord, { fields, entries, issues, given }: Beside): VerdictWord {
  if (word !== 'pass' && word !== 'warn') return word;
  const unmet = fields.some(([key, value]) => unmetKeys.has(key) && readList(value).length > 0);
  const listed = Array.isArray(given) ? given : [given];
  const isGrave = listsGraveIssue(fields) || (issues.length > 0 && namesGrave(fields)) || listed.some(isGraveIssue);
  if (entries.hasFailed || unmet || isGrave) return 'fail';
  if (entries.hasPartial) return 'partial';
  return issues.length > 0 ? 'warn' : word;
}

const readList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'number' && value > 0 ? [value] : issuesFromText(value);

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .flatMap(issuesFromText)
    .map(({ message }) => message)
    .slice(0, limits.judge.issues);
}

const readReason = (value: unknown): string => (typeof value === 'string' ? clip(oneLine(value), limits.quoted) : '');

/** Criteria in a list of those that are not met. */
const unmetIssues = (fields: Fields, criteria: readonly string[]): ReadIssue[] =>
  fields
    .flatMap(([key, value]) => (unmetKeys.has(key) ? readList(value) : []))
    .flatMap((each) => issueOf([['criterion', each]], criteria) ?? readIssues([each], criteria));

/** The issues of the answer, and the failed criteria that none of them names. */
function merged(listed: readonly ReadIssue[], failed: readonly ReadIssue[]): ReadIssue[] {
  const isNamed = ({ criterion, message }: ReadIssue): boolean =>
    listed.some((each) => (criterion === undefined ? each.message === message : each.criterion === criterion));
  return [...listed, ...failed.filter((each) => !isNamed(each))].slice(0, limits.judge.issues);
}
