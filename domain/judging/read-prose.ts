import { coerceJudgement } from './coerce-judgement.ts';
import type { Reading } from './reading.ts';
import { plainWords, wordOf } from './verdict-words.ts';

/** `**Verdict:** PASS`, `passed = yes`, `| confidence | 80% |`: a key and a short value on a line. */
const line =
  /^[\s>*_#|-]{0,12}([\p{L}][\p{L} _-]{0,30}?)[\s*_]{0,4}(?:[:=|]|\sis\s)[\s*_|"'`]{0,6}([^\n|]{1,300}?)[\s*_|"'`.,;]{0,6}$/gmu;

/** `<verdict>pass</verdict>`. */
const tag = /<([a-z][a-z_-]{0,30})>\s{0,20}([^<]{1,1000}?)\s{0,20}<\/\1>/giu;

/** What stands below `Issues:` in a list. */
const item = /^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+(.{1,500})$/gmu;

const issuesHead = /^[\s>*_#]{0,8}(?:issues|problems|concerns|findings)\b[^\n]{0,40}$/imu;

/** Lines of an answer that are looked at. */
const mostPairs = 200;

/**
 * The verdict of an answer that is no JSON at all: said with a key, or as the first word. One that merely talks about passing and
 * failing says none.
 */
export function readProse(text: string, criteria: readonly string[]): Reading | undefined {
  const pairs = [...pairsIn(text, tag), ...pairsIn(text, line)];
  const listed = itemsBelowIssues(text);
  const issues = listed.length === 0 ? [] : [['issues', listed] as const];
  const table = Object.fromEntries([...pairs].reverse());
  const found = pairs.length === 0 ? undefined : coerceJudgement({ ...table, ...Object.fromEntries(issues) }, criteria);
  if (found !== undefined) return found;
  // Two lines that say different things say nothing, whatever the first word is.
  const word = pairs.some(([key]) => plainWords(key) === 'verdict') ? undefined : firstWord(text);
  return word === undefined
    ? undefined
    : coerceJudgement({ verdict: word, issues: listed, ...withoutVerdict(table) }, criteria);
}

function pairsIn(text: string, pattern: RegExp): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [, key = '', value = ''] of text.matchAll(pattern)) {
    pairs.push([key, value]);
    if (pairs.length === mostPairs) break;
  }
  return pairs;
}

const withoutVerdict = (table: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => plainWords(key).startsWith('confidence')));

function itemsBelowIssues(text: string): string[] {
  const at = text.search(issuesHead);
  if (at === -1) return [];
  return [...text.slice(at).matchAll(item)].slice(0, mostPairs).map(([, said = '']) => said);
}

/** `PASS`, `LGTM!`, `FAIL - the second criterion is not met`. */
function firstWord(text: string): string | undefined {
  const [head = ''] = text.trim().split('\n');
  if (wordOf(head) !== undefined) return head;
  const leading =
    /^[\s*_#"'`]{0,6}(PASS(?:ED)?|FAIL(?:ED)?|APPROVED|REJECTED|LGTM)\b[\s*_"'`]{0,6}(?:[:.,;!–—-]|$)/u.exec(head)?.[1];
  return leading;
}
