import { limits } from '../limits.ts';
import { clip, oneLine } from '../text/text.ts';
import { readConfidence } from './read-confidence.ts';
import type { Reading, ReadIssue } from './reading.ts';
import { agree, plainWords, wordOf, type Word } from './verdict-words.ts';

/*
 * A judge is asked for one form and answers in many. Keys are read in any case and spelling, values as what they mean. What says both yes
 * and no says nothing.
 */

const verdictKeys = new Set(
  ['passed', 'pass', 'is passed', 'has passed', 'did pass', 'verdict', 'outcome', 'result', 'status', 'decision']
    .concat(['judgement', 'judgment', 'approved', 'accepted', 'ok', 'success', 'valid', 'answer', 'conclusion'])
    .concat(['evaluation', 'assessment', 'overall', 'overall verdict', 'final verdict', 'final answer', 'acceptable'])
    .map(flat),
);
const refusalKeys = new Set(['failed', 'fail', 'rejected', 'is failed', 'has failed'].map(flat));
const confidenceKeys = ['confidence', 'confidence score', 'confidence level', 'certainty', 'probability', 'sure'];
const issueKeys = [
  'issues',
  'problems',
  'errors',
  'findings',
  'concerns',
  'defects',
  'failures',
  'violations',
  'issue',
];
const feedbackKeys = [
  'feedback',
  'suggestion',
  'suggestions',
  'advice',
  'fix',
  'fixes',
  'recommendation',
  'recommendations',
].concat(['explanation', 'reason', 'reasons', 'reasoning', 'rationale', 'comment', 'comments', 'summary', 'message']);
const evidenceKeys = [
  'missing evidence',
  'evidence gaps',
  'evidence missing',
  'unsupported claims',
  'unverified claims',
];
const reasonKeys = ['reason code', 'code', 'failure code', 'failure type', 'category'];
const listKeys = ['criteria', 'results', 'checks', 'evaluations', 'criteria results', 'per criterion'];
const messageKeys = [
  'message',
  'issue',
  'problem',
  'text',
  'description',
  'finding',
  'detail',
  'details',
  'reason',
].concat(['comment', 'explanation', 'feedback', 'title', 'name']);
const criterionKeys = ['criterion', 'criteria', 'criterion number', 'criterion index', 'criterion id', 'number', 'id'];
const pathKeys = ['path', 'file', 'filename', 'file path', 'location'];

function flat(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

type Fields = ReadonlyMap<string, unknown>;

/** The first of two keys that mean the same counts. */
function fieldsOf(value: object): Fields {
  const fields = new Map<string, unknown>();
  for (const [key, each] of Object.entries(value)) {
    const name = flat(key);
    if (name !== '' && !fields.has(name)) fields.set(name, each);
  }
  return fields;
}

const first = (fields: Fields, keys: readonly string[]): unknown =>
  keys.map((key) => fields.get(flat(key))).find((value) => value !== undefined && value !== null);

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tables inside of tables that are looked into for the answer. */
const deepest = 3;

/** What a value says as the answer of a judge; undefined where it is none. */
export function coerceJudgement(value: unknown, criteria: readonly string[], depth = 0): Reading | undefined {
  if (Array.isArray(value))
    return value.length === 1 ? coerceJudgement(value[0], criteria, depth) : fromList(value, criteria);
  if (!isTable(value)) return undefined;
  const fields = fieldsOf(value);
  const inner = depth < deepest ? innerOf(fields, criteria, depth) : undefined;
  const listed = first(fields, listKeys);
  const perCriterion = Array.isArray(listed) ? fromList(listed, criteria) : undefined;
  const said = [...wordsIn(fields), ...(inner === undefined ? [] : [inner.verdict])];
  const word = said.length === 0 ? perCriterion?.verdict : agree(said);
  if (word === undefined || word === 'contradicts') return undefined;
  const issues = readIssues(first(fields, issueKeys), criteria);
  return {
    verdict: word,
    confidence: readConfidence(first(fields, confidenceKeys)) ?? inner?.confidence ?? perCriterion?.confidence,
    issues: bounded(issues, inner?.issues, perCriterion?.issues),
    feedback: readText(first(fields, feedbackKeys)) || (inner?.feedback ?? ''),
    missingEvidence: textsOf(first(fields, evidenceKeys) ?? inner?.missingEvidence),
    reason: readReason(first(fields, reasonKeys)) || (inner?.reason ?? ''),
  };
}

/** `{"verdict": {"passed": true}}`, `{"judgement": {…}}`: the answer in a wrapper. */
function innerOf(fields: Fields, criteria: readonly string[], depth: number): Reading | undefined {
  const wrapped = [...fields.values()].filter(isTable).map((table) => coerceJudgement(table, criteria, depth + 1));
  const found = wrapped.filter((reading) => reading !== undefined);
  return found.length === 1 ? found[0] : undefined;
}

function wordsIn(fields: Fields): Word[] {
  return [...fields].flatMap(([key, value]) => {
    const word = verdictKeys.has(key) || refusalKeys.has(key) ? wordOf(value) : undefined;
    if (word === undefined) return [];
    return refusalKeys.has(key) ? opposite(word) : [word];
  });
}

const opposite = (word: Word): Word[] => (word === 'pass' ? ['fail'] : word === 'fail' ? ['pass'] : []);

/** One answer for each criterion: the work passes when all of them do. */
function fromList(list: readonly unknown[], criteria: readonly string[]): Reading | undefined {
  const tables = list.filter(isTable).map(fieldsOf);
  const readings = tables.map((fields) => ({ fields, word: agree(wordsIn(fields)) }));
  if (readings.length === 0 || readings.some(({ word }) => word === undefined || word === 'contradicts'))
    return undefined;
  const failed = readings.filter(({ word }) => word === 'fail' || word === 'partial');
  const sure = tables.flatMap((fields) => readConfidence(first(fields, confidenceKeys)) ?? []);
  return {
    verdict: readings.some(({ word }) => word === 'fail') ? 'fail' : failed.length > 0 ? 'partial' : 'pass',
    confidence: sure.length === 0 ? undefined : Math.min(...sure),
    issues: failed.flatMap(({ fields }) => issueOf(fields, criteria) ?? []),
    feedback: '',
    missingEvidence: [],
    reason: '',
  };
}

function readIssues(value: unknown, criteria: readonly string[]): ReadIssue[] {
  if (typeof value === 'string') return fromText(value);
  if (Array.isArray(value))
    return value.flatMap((each) => (isTable(each) ? (issueOf(fieldsOf(each), criteria) ?? []) : fromText(each)));
  if (!isTable(value)) return [];
  const fields = fieldsOf(value);
  const single = issueOf(fields, criteria);
  return single === undefined ? [...fields.values()].flatMap(fromText) : [single];
}

function issueOf(fields: Fields, criteria: readonly string[]): ReadIssue | undefined {
  const message = readText(first(fields, messageKeys));
  const criterion = criterionOf(first(fields, criterionKeys), criteria);
  const path = first(fields, pathKeys);
  const said = message === '' && criterion !== undefined ? `Criterion ${criterion} is not met.` : message;
  if (said === '') return undefined;
  return {
    message: clip(oneLine(said), limits.judge.issue),
    ...(criterion === undefined ? {} : { criterion }),
    ...(typeof path === 'string' && path.trim() !== '' ? { path: clip(oneLine(path), limits.judge.path) } : {}),
  };
}

/** By its number, or by its words. */
function criterionOf(value: unknown, criteria: readonly string[]): number | undefined {
  const words = typeof value === 'string' ? plainWords(value) : '';
  const digits = /^(?:c|criterion|criteria|no)? ?(\d{1,3})$/.exec(words)?.[1];
  const number = typeof value === 'number' ? value : digits === undefined ? undefined : Number(digits);
  if (number !== undefined)
    return Number.isInteger(number) && number >= 1 && number <= criteria.length ? number : undefined;
  const at = words === '' ? -1 : criteria.findIndex((text) => plainWords(text) === words);
  return at === -1 ? undefined : at + 1;
}

/** Words for "there are none". */
const nothing = new Set([
  'none',
  'no',
  'no issues',
  'nothing',
  'n a',
  'na',
  'null',
  'no problems',
  'no issues found',
  'none found',
]);

function fromText(value: unknown): ReadIssue[] {
  const text = readText(value);
  return text === '' || nothing.has(plainWords(text)) ? [] : [{ message: clip(oneLine(text), limits.judge.issue) }];
}

function readText(value: unknown): string {
  if (typeof value === 'string') return clip(value.trim(), limits.judge.feedback);
  if (!Array.isArray(value)) return '';
  const texts = value.filter((each): each is string => typeof each === 'string' && each.trim() !== '');
  return clip(texts.map((each) => each.trim()).join('\n'), limits.judge.feedback);
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .flatMap(fromText)
    .map(({ message }) => message)
    .slice(0, limits.judge.issues);
}

const readReason = (value: unknown): string => (typeof value === 'string' ? clip(oneLine(value), limits.quoted) : '');

/** Those of the answer itself, else those of what it wraps. */
function bounded(...sources: (ReadIssue[] | undefined)[]): ReadIssue[] {
  const found = sources.find((issues) => issues !== undefined && issues.length > 0) ?? [];
  return found.slice(0, limits.judge.issues);
}
