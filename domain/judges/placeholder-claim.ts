import { limits } from '../limits/domain-limits.ts';
import type { ReadIssue, JudgeReading } from './reading.ts';
import { denies } from './verdict-words.ts';

/*
 * A search of the files can refute one claim only: that a literal placeholder is in them. So a failed judgement counts as such a claim only
 * if each of its sentences has one of a few plain forms ("A TODO remains in NOTES.md"). A stub, a function that returns a constant, a
 * criterion about behaviour and any unknown word are beyond a search, so the failure holds.
 */

/** Placeholders that a judge claims to have seen in files. */
export interface LiteralClaim {
  /** The placeholders as the judge writes them. */
  literals: string[];
  /** Files that the judge names. */
  paths: string[];
}

/** Finds the claim that a failed judgement rests on; undefined where a search of files could not refute it. */
export function findLiteralClaim(
  { verdict, issues, feedback, missingEvidence, reason, remarks }: JudgeReading,
  criteria: readonly string[],
): LiteralClaim | undefined {
  if (verdict !== 'fail' || missingEvidence.length > 0 || !isOpenReason(reason)) return undefined;
  // At the limit some issues may be missing.
  if (issues.length === 0 || issues.length >= limits.judge.issues) return undefined;
  const claims = issues.map((issue) => readIssueClaim(issue, criteria));
  const advice = [...splitSentences(feedback), ...splitSentences(remarks).filter(denies)];
  if (!advice.every((sentence) => isAdvice(sentence) || readSentenceClaim(sentence) !== undefined)) return undefined;
  const readableClaims = claims.flatMap((claim) => claim ?? []);
  if (readableClaims.length < claims.length) return undefined;
  return {
    literals: [...new Set(readableClaims.flatMap(({ literals }) => literals))],
    paths: [...new Set(readableClaims.flatMap(({ paths }) => paths))],
  };
}

/** Reasons that agree with the claim; any other reason is about something else. */
const isOpenReason = (reason: string): boolean => /^(?:criteria[\s_-]?unmet|.*placeholder.*)?$/iu.test(reason);

/** An issue of a criterion is a claim about files only if the criterion itself is about placeholders. */
const aboutPlaceholders = /\b(?:TODOs?|TBDs?|FIXMEs?|placeholders?|lorem ipsum)\b/iu;

function readIssueClaim(
  { message, criterion, path }: ReadIssue,
  criteria: readonly string[],
): LiteralClaim | undefined {
  if (criterion !== undefined && !aboutPlaceholders.test(criteria[criterion - 1] ?? '')) return undefined;
  const claims = splitSentences(message).map(readSentenceClaim);
  const readableClaims = claims.flatMap((claim) => claim ?? []);
  if (readableClaims.length === 0 || readableClaims.length < claims.length) return undefined;
  const paths = [...(path === undefined ? [] : [withoutLine(path)]), ...readableClaims.flatMap((claim) => claim.paths)];
  return { literals: readableClaims.flatMap(({ literals }) => literals), paths };
}

const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[.;!?])\s+|\n+/u)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Each name in a sentence is replaced by one character that no sentence has. */
const literalMark = '\u{E000}';
const pathMark = '\u{E001}';

const named =
  /`([^`\n]{1,80})`|"([^"\n]{1,80})"|“([^”\n]{1,80})”|'([^'\n]{1,80})'|(\[[^\]\n]{1,80}\]|\{\{[^}\n]{1,80}\}\}|<[^>\n]{1,80}>)|((?:[\w@.-]{1,80}\/){0,12}[\w@-][\w@.-]{0,80}\.[a-z][a-z\d]{0,9}(?::\d{1,7}){0,2})\b|\b(TODO|TBD|FIXME|XXX|to-do|lorem ipsum)s?\b/giu;
const pathForm = /^(?:[\w@. -]+\/)*[\w@-][\w@. -]*\.[a-z][a-z\d]{0,9}(?::\d{1,7}){0,2}$/iu;

interface Sentence extends LiteralClaim {
  /** The sentence with marks, in lower case, without punctuation at its end. */
  form: string;
}

function markSentence(sentence: string): Sentence {
  const literals: string[] = [];
  const paths: string[] = [];
  const form = sentence
    .replace(/[\u{E000}\u{E001}]/gu, '?')
    .replace(named, (_, code, straight, curly, single, bracketed, path, marker) => {
      const quoted: unknown = code ?? straight ?? curly ?? single;
      if (typeof path === 'string' || (typeof quoted === 'string' && pathForm.test(quoted))) {
        paths.push(withoutLine(String(path ?? quoted)));
        return pathMark;
      }
      literals.push(String(quoted ?? bracketed ?? marker));
      return literalMark;
    });
  return { literals, paths, form: form.toLowerCase().replace(/[.;!\s]+$/u, '') };
}

const withoutLine = (path: string): string => path.replace(/(?::\d{1,7}){1,2}$/u, '');

const article = '(?:(?:an?|the|its|some|any|one|two|three|several|multiple|many|another) )?';
const adjective = '(?:(?:unresolved|remaining|leftover|literal|open|unreplaced|unfilled) )?';
const oneLiteral = `${article}${adjective}(?:placeholders? )?${literalMark}(?: (?:comments?|markers?|texts?|notes?|placeholders?|tags?|strings?))?`;
const theLiteral = `${oneLiteral}(?:(?:,| and|, and| or) ${oneLiteral}){0,4}`;
const container = `(?:(?:the )?(?:files?|documents?|output|text) )?${pathMark}|(?:the|this) (?:files?|documents?|output|text)`;
const where = `(?: (?:in|on|at|inside|within|from|near) (?:${container}|(?:the )?lines? \\d{1,7}(?:(?:-| to | and |, )\\d{1,7}){0,4}))`;
const here = `${where}{0,3}`;
const left =
  '(?:still )?(?:remains?|exists?|(?:is|are|was|were)(?: still)? (?:left|present|there)|appears?|left|' +
  '(?:is|are|was|were) not (?:replaced|removed|resolved)|(?:has|have) not been (?:replaced|removed|resolved)|is|are)';

const forms: readonly RegExp[] = [
  `${theLiteral}${here} ${left}${here}`,
  `${theLiteral}${where}{1,3}`,
  `there (?:is|are|remains?)(?: still)? ${theLiteral}(?: left| remaining)?${here}`,
  `(?:${container}|it)(?: still)? (?:contains?|has|have|includes?|shows?)(?: still)? ${theLiteral}(?: left)?${here}`,
].map((form) => new RegExp(`^${form}$`, 'u'));

const advised = new RegExp(
  `^(?:please )?(?:remove|delete|resolve|replace) (?:${theLiteral}|it|them)${here}(?: with (?:the )?(?:real|actual|final) (?:text|content|values?))?$`,
  'u',
);

/** A claim without a predicate, "TODO is", does not say where. */
const isBare = new RegExp(`${literalMark}[^${pathMark}]{0,20} (?:is|are)$`, 'u');

function readSentenceClaim(sentence: string): LiteralClaim | undefined {
  const { form, literals, paths } = markSentence(sentence);
  if (literals.length === 0 || isBare.test(form)) return undefined;
  return forms.some((each) => each.test(form)) ? { literals, paths } : undefined;
}

const isAdvice = (sentence: string): boolean => advised.test(markSentence(sentence).form);

/** Builds a pattern that finds one of the literals in any case. */
export const literalPattern = (literals: readonly string[]): string =>
  literals
    .map((literal) => {
      const text = Array.from(literal.trim(), anyCase).join('');
      return /^\w.*\w$/u.test(literal.trim()) ? `\\b${text}\\b` : text;
    })
    .join('|');

function anyCase(character: string): string {
  if (/\s/u.test(character)) return '\\s';
  const [small, large] = [character.toLowerCase(), character.toUpperCase()];
  if (small !== large && small.length === 1 && large.length === 1) return `[${small}${large}]`;
  return /[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character;
}
