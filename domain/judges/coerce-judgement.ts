import { isTable } from '../input/is-table.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine } from '../text/text.ts';
import {
  confidenceKeys,
  criteriaKeys,
  evidenceKeys,
  feedbackKeys,
  listFields,
  findFirst,
  flatKey,
  isCount,
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
  type AnswerFields,
} from './answer-fields.ts';
import { isRefusedUnder, isWithheld, takesBack } from './refusals.ts';
import { readConfidence } from './read-confidence.ts';
import {
  graveIssues,
  isGraveIssue,
  readIssue,
  issuesFromText,
  listsGraveIssue,
  namesGrave,
  namesUnmetCriterion,
  readIssues,
  readAnswerText,
} from './read-issues.ts';
import type { JudgeReading, ReadIssue } from './reading.ts';
import { combineWords, denies, parseVerdictWord, trailingWord, type VerdictWord } from './verdict-words.ts';

/*
 * Judges reply in many forms. Values are read by their meaning, but only an explicit yes passes: a reply with both yes and no contradicts
 * itself, and a failed part fails the whole.
 */

/** The basis of a verdict: the requested key, another verdict key, or a no under a key that may be about anything. */
export type VerdictBasis = 'passed' | 'verdict' | 'weak';

/** The verdict of an object, or several that contradict each other. */
export type Coerced = { kind: 'read'; reading: JudgeReading; basis: VerdictBasis } | { kind: 'contradicts' };

const contradicts: Coerced = { kind: 'contradicts' };

/** Levels of nested objects in which the answer is searched. */
const deepest = 3;

/** Reads a value as the answer of a judge; undefined where it is not one. */
export function coerceJudgement(value: unknown, criteria: readonly string[], depth = 0): Coerced | undefined {
  if (Array.isArray(value)) {
    if (value.length === 1) return depth < deepest ? coerceJudgement(value[0], criteria, depth + 1) : undefined;
    return coerceTable([['criteria', value]], criteria, deepest);
  }
  return isTable(value) ? coerceTable(listFields(value), criteria, depth) : undefined;
}

function coerceTable(fields: AnswerFields, criteria: readonly string[], depth: number): Coerced | undefined {
  const own = readOwnVerdict(fields);
  const inner = depth < deepest ? readInner(fields, criteria, depth) : { readings: [], isAgainst: false };
  const entries = readCriteria(fields, criteria);
  const words = [...own.words, ...inner.readings.map(({ reading }) => reading.verdict)];
  const word = words.length === 0 ? entries.verdict : combineWords(words);
  if (word === 'contradicts') return contradicts;
  if (word === undefined)
    return own.blocksPass && (inner.isAgainst || (depth === 0 && isWithheld(fields))) ? contradicts : undefined;
  const [wrapped] = inner.readings;
  const given = findFirst(fields, issueKeys.map(flatKey));
  const listed = [...readIssues(given, criteria), ...(wrapped?.reading.issues ?? [])];
  const beside = [...entries.issues, ...unmetIssues(fields, criteria), ...graveIssues(fields, criteria)];
  const issues = mergeIssues(listed, beside);
  const reason = readReason(findFirst(fields, reasonKeys)) || (wrapped?.reading.reason ?? '');
  const verdict = weigh(word, { fields, entries, issues, given });
  const isYes = verdict === 'pass' || verdict === 'warn';
  const feedback = readAnswerText(findFirst(fields, feedbackKeys)) || (wrapped?.reading.feedback ?? '');
  if (isYes && (namesUnmetCriterion(feedback) || takesBack(fields))) return contradicts;
  if (isYes && (own.blocksPass || inner.isAgainst || /unmet|placeholder/i.test(reason))) return contradicts;
  const reading: JudgeReading = {
    verdict,
    confidence: readConfidence(findFirst(fields, confidenceKeys)) ?? wrapped?.reading.confidence ?? entries.confidence,
    issues,
    feedback,
    missingEvidence: listTexts(findFirst(fields, evidenceKeys) ?? wrapped?.reading.missingEvidence),
    reason,
    remarks: '',
  };
  return { kind: 'read', reading, basis: own.basis ?? wrapped?.basis ?? 'verdict' };
}

interface OwnVerdict {
  words: VerdictWord[];
  /** Undefined where no key of the object itself holds a verdict. */
  basis: VerdictBasis | undefined;
  /** A value is meant as a verdict and is not a yes. */
  blocksPass: boolean;
}

function readOwnVerdict(fields: AnswerFields): OwnVerdict {
  const own: OwnVerdict = { words: [], basis: undefined, blocksPass: false };
  for (const [key, value] of fields) {
    const isPassed = passedKeys.has(key);
    if (isTable(value) || (!isPassed && value === null)) continue;
    const word = isPassed && value === 1 && isCount(fields) ? undefined : readWordUnder(key, value);
    if (word !== undefined) {
      own.words.push(word);
      own.basis = isPassed ? 'passed' : (own.basis ?? (verdictKeys.has(key) ? 'verdict' : 'weak'));
      if (own.basis === 'weak' && verdictKeys.has(key)) own.basis = 'verdict';
    } else if (isPassed || (verdictKeys.has(key) && typeof value === 'string' && denies(value))) own.blocksPass = true;
  }
  return own;
}

/** Reads the verdict of a value under its key. */
function readWordUnder(key: string, value: unknown): VerdictWord | undefined {
  if (passedKeys.has(key)) return parseVerdictWord(value, 'passed');
  if (verdictKeys.has(key)) return parseVerdictWord(value);
  if (refusalKeys.has(key)) return isRefusal(value) ? 'fail' : undefined;
  const word = weakKeys.has(key) ? parseVerdictWord(value) : undefined;
  return word === 'fail' || word === 'partial' ? word : undefined;
}

const isRefusal = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : parseVerdictWord(value) === 'pass' || (typeof value === 'number' && value > 0);

interface InnerReadings {
  /** Objects that hold the answer: `{"verdict": {"passed": true}}`, `{"judgement": {…}}`. */
  readings: { reading: JudgeReading; basis: VerdictBasis }[];
  /** Another object contradicts a yes. */
  isAgainst: boolean;
}

/** A yes in an object under any other key, such as evidence, is not the judge's own. */
function readInner(fields: AnswerFields, criteria: readonly string[], depth: number): InnerReadings {
  const inner: InnerReadings = { readings: [], isAgainst: false };
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

interface CriterionEntries {
  /** Undefined where the entries are no answer by themselves. */
  verdict: VerdictWord | undefined;
  hasFailed: boolean;
  hasPartial: boolean;
  issues: ReadIssue[];
  confidence: number | undefined;
}

/** Reads one answer for each criterion: without another verdict it is a yes only if every criterion has an entry. */
function readCriteria(fields: AnswerFields, criteria: readonly string[]): CriterionEntries {
  const names = criteria.map(flatKey);
  const entries = fields.flatMap(([key, value]) => [
    ...readEntriesUnder(key, value),
    ...(summaryKey.test(key) || names.includes(key) ? readRefusalsUnder(key, value) : []),
  ]);
  const failed = entries.filter(({ word }) => word === 'fail' || word === 'partial');
  const hasFailed = failed.some(({ word }) => word === 'fail');
  const isWhole = entries.length > 0 && entries.length >= criteria.length;
  const isYes = isWhole && entries.every(({ word }) => word === 'pass');
  const sure = entries.flatMap(({ fields: each }) => readConfidence(findFirst(each, confidenceKeys)) ?? []);
  return {
    verdict: hasFailed ? 'fail' : failed.length > 0 ? 'partial' : isYes ? 'pass' : undefined,
    hasFailed,
    hasPartial: failed.length > 0,
    issues: failed.map(({ fields: each }) => readIssue(each, criteria) ?? { message: 'A criterion is not met.' }),
    confidence: sure.length === 0 ? undefined : Math.min(...sure),
  };
}

interface CriterionEntry {
  word: VerdictWord | undefined;
  fields: AnswerFields;
}

function readEntriesUnder(key: string, value: unknown): CriterionEntry[] {
  const isNamed = criteriaKeys.has(key);
  if (Array.isArray(value)) {
    if (issueKeys.includes(key)) return [];
    return value.flatMap((each) =>
      isTable(each) ? readCriterionEntry(listFields(each), isNamed) : isNamed ? readPlainEntry(each) : [],
    );
  }
  if (!isNamed || !isTable(value)) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    isTable(each)
      ? readCriterionEntry([['criterion', name], ...listFields(each)], true)
      : readPlainEntry(each).map(({ word }) => ({ word, fields: [['criterion', name]] as const })),
  );
}

const readPlainEntry = (value: unknown): CriterionEntry[] => {
  const word = parseVerdictWord(value) ?? (typeof value === 'string' ? readTrailingWord(value) : undefined);
  return word === undefined ? [] : [{ word, fields: typeof value === 'string' ? [['message', value]] : [] }];
};

/** `the names: not met`, `Criterion 2 is not met`. */
const readTrailingWord = (text: string): VerdictWord | undefined =>
  namesUnmetCriterion(text) ? 'fail' : trailingWord(text);

/** Reads refusals under a key for criteria. A yes there is not an entry, because the number of criteria that it covers is unknown. */
function readRefusalsUnder(key: string, value: unknown): CriterionEntry[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .flatMap((each) => (isTable(each) ? readCriterionEntry(listFields(each), true) : readPlainEntry(each)))
    .filter(({ word }) => word === 'fail' || word === 'partial')
    .map(({ word, fields }) => ({ word, fields: [...fields, ['criterion', key] as const] }));
}

/** In a list under another key, an item without a verdict is not an entry. */
function readCriterionEntry(fields: AnswerFields, isNamed: boolean): CriterionEntry[] {
  const own = readOwnVerdict(fields);
  const met = fields.flatMap(([key, value]) => (metKeys.has(key) ? (parseVerdictWord(value, 'passed') ?? []) : []));
  const graded = fields.flatMap(([key, value]): VerdictWord[] => (isRefusedUnder(key, value) ? ['fail'] : []));
  const word = combineWords([...own.words, ...met, ...graded]);
  if (word === 'contradicts') return [{ word: 'fail', fields }];
  const [[name, value] = []] = fields;
  if (word === undefined && isNamed && fields.length === 1 && name !== undefined && !isTable(value))
    return readPlainEntry(value).map((each) => ({ word: each.word, fields: [['criterion', name]] as const }));
  return word === undefined && !isNamed ? [] : [{ word: own.blocksPass && word === 'pass' ? undefined : word, fields }];
}

interface VerdictContext {
  fields: AnswerFields;
  entries: CriterionEntries;
  issues: readonly ReadIssue[];
  /** Issues as they were written. */
  given: unknown;
}

/** Weighs problems beside a yes: a failed criterion or an issue that is called grave fails it; any other issue is a warning. */
function weigh(word: VerdictWord, { fields, entries, issues, given }: VerdictContext): VerdictWord {
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

function listTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .flatMap(issuesFromText)
    .map(({ message }) => message)
    .slice(0, limits.judge.issues);
}

const readReason = (value: unknown): string => (typeof value === 'string' ? clip(oneLine(value), limits.quoted) : '');

/** Reads the criteria of a list of unmet ones. */
const unmetIssues = (fields: AnswerFields, criteria: readonly string[]): ReadIssue[] =>
  fields
    .flatMap(([key, value]) => (unmetKeys.has(key) ? readList(value) : []))
    .flatMap((each) => readIssue([['criterion', each]], criteria) ?? readIssues([each], criteria));

/** Joins the issues of the answer and the failed criteria that none of them names. */
function mergeIssues(listed: readonly ReadIssue[], failed: readonly ReadIssue[]): ReadIssue[] {
  const isNamed = ({ criterion, message }: ReadIssue): boolean =>
    listed.some((each) => (criterion === undefined ? each.message === message : each.criterion === criterion));
  return [...listed, ...failed.filter((each) => !isNamed(each))].slice(0, limits.judge.issues);
}
