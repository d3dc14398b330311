import { criterionKeys, flatKey, passedKeys, refusalKeys, unmetKeys, verdictKeys, weakKeys } from './answer-fields.ts';
import { coerceJudgement } from './coerce-judgement.ts';
import { isAboutOthers } from './quotations.ts';
import { findCriterion, namesUnmetCriterion } from './read-issues.ts';
import type { JudgeReading } from './reading.ts';
import { combineWords, denies, leadingWord, parseVerdictWord, type VerdictWord } from './verdict-words.ts';

/** `**Verdict:** PASS`, `passed = yes`, `| confidence | 80% |`: a key and a short value on a line. */
const line =
  /^[ \t*_#|-]{0,12}([\p{L}\p{N}][\p{L}\p{N} _-]{0,80}?)[ \t*_]{0,4}(?:[:=|]| is )[ \t*_|"'`]{0,6}([^\n|]{1,300}?)[ \t*_|"'`.,;]{0,6}$/gmu;

/** `<verdict>pass</verdict>`. */
const tag = /<([a-z][a-z_-]{0,30})>\s{0,20}([^<]{1,1000}?)\s{0,20}<\/\1>/giu;

/** `## Verdict`, and the verdict below it. */
const heading =
  /^[ \t*_#]{0,8}((?:final |overall )?(?:verdict|outcome|decision|judge?ment))[ \t*_]{0,4}:?[ \t*_]{0,4}\n{1,3}[ \t*_]{0,6}([^\n]{1,300}?)[ \t*_]{0,6}$/gimu;

/** Items of a list below `Issues:`. */
const item = /^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+(.{1,500})$/gmu;

const issuesHead = /^[\s*_#]{0,8}(?:issues|problems|concerns|findings)\b[^\n]{0,40}$/imu;

/** Most lines of an answer that are read. */
const mostPairs = 200;

/** Each word as the requested form has it. */
const written: Readonly<Record<VerdictWord, string>> = {
  pass: 'pass',
  warn: 'pass with warnings',
  partial: 'partial',
  fail: 'fail',
  undecided: 'inconclusive',
};

/** The statements of a text about the verdict. */
export interface ProseVerdict {
  /** Verdicts under a verdict key, or as the first word of the text. */
  strong: VerdictWord[];
  /** A no under a key that may be about anything. */
  weak: VerdictWord[];
  /** A line is meant as a verdict and is not a yes. */
  blocksPass: boolean;
  /** A line says that a criterion is not met. */
  hasFailedCriterion: boolean;
}

/**
 * Reads a verdict without JSON: after a key, or as the first word. A text that merely mentions passing and failing has none.
 */
export function readProse(answer: string, criteria: readonly string[]): JudgeReading | undefined {
  const text = withoutFences(answer);
  const pairs = findPairs(text);
  const { strong, weak, blocksPass, hasFailedCriterion } = collectWords(text, pairs, criteria);
  const word = combineWords([...strong, ...weak]);
  if (word === 'contradicts') return undefined;
  const verdict = hasFailedCriterion && (word === undefined || isYes(word)) ? 'fail' : word;
  const issues = listIssueItems(text);
  if (verdict === undefined || (isYes(verdict) && (blocksPass || isTakenBack(text) || namesUnmetCriterion(text))))
    return undefined;
  const others = pairs.filter(([key]) => !isVerdictKey(flatKey(key)) && findCriterion(key, criteria) === undefined);
  const table = Object.fromEntries([...others].reverse());
  const listed = issues.length === 0 ? {} : { issues };
  const coerced = coerceJudgement({ ...table, ...listed, verdict: written[verdict] }, criteria);
  return coerced?.kind === 'read' ? { ...coerced.reading, remarks: answer } : undefined;
}

/** Reads the text around an object. */
export const readRemarks = (text: string, criteria: readonly string[]): ProseVerdict =>
  collectWords(text, findPairs(text), criteria);

const isYes = (word: VerdictWord): boolean => word === 'pass' || word === 'warn';

const isVerdictKey = (key: string): boolean =>
  passedKeys.has(key) || verdictKeys.has(key) || weakKeys.has(key) || refusalKeys.has(key) || unmetKeys.has(key);

/** Recognises lines before the list of issues that retract the verdict. The verdict's own line is read elsewhere. */
function isTakenBack(text: string): boolean {
  const end = text.search(issuesHead);
  const lines = text.slice(0, end === -1 ? undefined : end).split('\n');
  if (lines.some((each) => /:[\s*_]*$/.test(each) && isAboutOthers(each))) return true;
  return lines.filter((each) => !each.includes(':') && leadingWord(each) === undefined).some(denies);
}

const findPairs = (text: string): [string, string][] => [
  ...matchPairs(text, tag),
  ...matchPairs(text, line),
  ...matchPairs(text, heading).filter(([, value]) => firstWord(value) !== undefined),
];

const fence = /^[ \t]{0,3}```[^\n]{0,40}\n([\s\S]{0,20000}?)^[ \t]{0,3}```[ \t]*$/gmu;

/** Drops fenced text, which is mostly quoted; an answer that is one fence is its content. */
function withoutFences(text: string): string {
  const outside = text.replace(fence, '');
  return outside.trim() === '' ? text.replace(fence, '$1') : outside;
}

function matchPairs(text: string, pattern: RegExp): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [, key = '', value = ''] of text.matchAll(pattern)) {
    pairs.push([key, value]);
    if (pairs.length === mostPairs) break;
  }
  return pairs;
}

function collectWords(
  text: string,
  pairs: readonly (readonly [string, string])[],
  criteria: readonly string[],
): ProseVerdict {
  const words: ProseVerdict = { strong: [], weak: [], blocksPass: false, hasFailedCriterion: false };
  for (const [name, value] of pairs) {
    const key = flatKey(name);
    const isStrong = passedKeys.has(key) || verdictKeys.has(key);
    const word = parseVerdictWord(value, passedKeys.has(key) ? 'passed' : 'verdict');
    if (isStrong && word !== undefined) words.strong.push(word);
    else if (isStrong && leadingWord(`${name}: ${value}`) === undefined) words.blocksPass = true;
    else if (refusalKeys.has(key) && word === 'pass') words.weak.push('fail');
    else if (weakKeys.has(key) && (word === 'fail' || word === 'partial')) words.weak.push(word);
    else if (findCriterion(name, criteria) !== undefined && !criterionKeys.includes(key) && word !== undefined)
      words.hasFailedCriterion ||= word === 'fail' || word === 'partial';
  }
  const lead = firstWord(text);
  if (lead !== undefined) words.strong.push(lead);
  return words;
}

function listIssueItems(text: string): string[] {
  const at = text.search(issuesHead);
  if (at === -1) return [];
  return [...text.slice(at).matchAll(item)].slice(0, mostPairs).map(([, issue = '']) => issue);
}

/** A whole line that is a verdict, with a mark at most. */
const alone =
  /^[\s*_#"'`✅✓✔❌✗✘]{0,8}(pass(?:ed)?|fail(?:ed)?|approved|rejected|accepted|lgtm)[\s*_"'`.!✅✓✔❌✗✘]{0,8}$/iu;
const capitals = /^[\s*_#"'`]{0,6}(?:PASS(?:ED)?|FAIL(?:ED)?|APPROVED|REJECTED|LGTM)\b/u;

/** `PASS`, `LGTM!`, `FAIL - the second criterion is not met`. */
function firstWord(text: string): VerdictWord | undefined {
  const [head = ''] = text.trim().split('\n');
  const whole = alone.exec(head)?.[1];
  if (whole !== undefined) return parseVerdictWord(whole);
  if (capitals.test(head)) return leadingWord(head);
  return parseVerdictWord(head) === 'fail' ? 'fail' : undefined;
}
