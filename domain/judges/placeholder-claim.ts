import { limits } from '../limits/domain-limits.ts';
import type { ReadIssue, Reading } from './reading.ts';
import { denies } from './verdict-words.ts';

/*
 * A search of the files can refute one claim only: that a placeholder, named as it is written, stands in them. So a failed judgement is
 * such a claim only where every sentence of it has one of a few plain forms ("A TODO remains in NOTES.md"). A stub, a function that
 * returns a constant, a criterion about behaviour and every word that is not known here are out of a search's sight: then the failure
 * stands.
 */

/** Placeholders that a judge says are in files. */
export interface LiteralClaim {
  /** As the judge writes them. */
  literals: string[];
  /** Files that the judge names. */
  paths: string[];
}

/** The claim that a failed judgement rests on; undefined where it rests on anything that a search of files cannot tell. */
export function literalClaim(
  { verdict, issues, feedback, missingEvidence, reason, remarks }: Reading,
  criteria: readonly string[],
): LiteralClaim | undefined {
  if (verdict !== 'fail' || missingEvidence.length > 0 || !isOpenReason(reason)) return undefined;
  // At the limit some of them may be missing.
  if (issues.length === 0 || issues.length >= limits.judge.issues) return undefined;
  const claims = issues.map((issue) => claimOfIssue(issue, criteria));
  const advice = [...sentencesOf(feedback), ...sentencesOf(remarks).filter(denies)];
  if (!advice.every((sentence) => isAdvice(sentence) || claimIn(sentence) !== undefined)) return undefined;
  const known = claims.flatMap((claim) => claim ?? []);
  if (known.length < claims.length) return undefined;
  return {
    literals: [...new Set(known.flatMap(({ literals }) => literals))],
    paths: [...new Set(known.flatMap(({ paths }) => paths))],
  };
}

/** A reason that goes with the claim; any other one is about something else. */
const isOpenReason = (reason: string): boolean => /^(?:criteria[\s_-]?unmet|.*placeholder.*)?$/iu.test(reason);

/** What is said of a criterion is a claim about files only where the criterion itself is. */
const aboutPlaceholders = /\b(?:TODOs?|TBDs?|FIXMEs?|placeholders?|lorem ipsum)\b/iu;

function claimOfIssue({ message, criterion, path }: ReadIssue, criteria: readonly string[]): LiteralClaim | undefined {
  if (criterion !== undefined && !aboutPlaceholders.test(criteria[criterion - 1] ?? '')) return undefined;
  const claims = sentencesOf(message).map(claimIn);
  const known = claims.flatMap((claim) => claim ?? []);
  if (known.length === 0 || known.length < claims.length) return undefined;
  const paths = [...(path === undefined ? [] : [withoutLine(path)]), ...known.flatMap((claim) => claim.paths)];
  return { literals: known.flatMap(({ literals }) => literals), paths };
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.;!?])\s+|\n+/u)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What a sentence names, each replaced by one character that no sentence has. */
const literalMark = '\u{E000}';
const pathMark = '\u{E001}';

const named =
  /`([^`\n]{1,80})`|"([^"\n]{1,80})"|“([^”\n]{1,80})”|'([^'\n]{1,80})'|(\[[^\]\n]{1,80}\]|\{\{[^}\n]{1,80}\}\}|<[^>\n]{1,80}>)|((?:[\w@.-]{1,80}\/){0,12}[\w@-][\w@.-]{0,80}\.[a-z][a-z\d]{0,9}(?::\d{1,7}){0,2})\b|\b(TODO|TBD|FIXME|XXX|to-do|lorem ipsum)s?\b/giu;
const pathForm = /^(?:[\w@. -]+\/)*[\w@-][\w@. -]*\.[a-z][a-z\d]{0,9}(?::\d{1,7}){0,2}$/iu;

interface Sentence extends LiteralClaim {
  /** The sentence with marks, small letters, and no punctuation at its end. */
  form: string;
}

function markedUp(sentence: string): Sentence {
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

/** A claim without a verb, "TODO is": nothing is said of where. */
const isBare = new RegExp(`${literalMark}[^${pathMark}]{0,20} (?:is|are)$`, 'u');

function claimIn(sentence: string): LiteralClaim | undefined {
  const { form, literals, paths } = markedUp(sentence);
  if (literals.length === 0 || isBare.test(form)) return undefined;
  return forms.some((each) => each.test(form)) ? { literals, paths } : undefined;
}

const isAdvice = (sentence: string): boolean => advised.test(markedUp(sentence).form);

/** A pattern for files in which one of the literals stands, in any case. */
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
