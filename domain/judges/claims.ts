import type { ReadIssue, JudgeReading } from './reading.ts';

/** Phrases about text that was left to be filled in. */
const claim =
  /\bTODOs?\b|\bTBDs?\b|\bFIXMEs?\b|\bto[- ]dos?\b|placeholder|lorem ipsum|\[\s?(?:insert|your|add|fill)\b|\bto be (?:determined|decided|written|added|filled|completed|confirmed)\b|\bfill(?:ed)?[- ]in\b|\bstub(?:bed)?\b/iu;

/** Placeholders as they appear in files. Case matters: a list of todos is not a TODO. */
export const placeholder =
  '\\b(?:TODO|TBD|FIXME|XXX)\\b|\\b[Tt]o ?do\\s?[:(]|\\[\\s?(?:INSERT|Insert|insert|YOUR|Your|ADD|Add|FILL|Fill|TODO|TBD|PLACEHOLDER|Placeholder|placeholder)\\b[^\\]\\n]{0,80}\\]|<\\s?(?:INSERT|Insert|YOUR|Your)\\b[^>\\n]{0,80}>|\\b[Ll]orem ipsum\\b|\\bPLACEHOLDER\\b|\\b[Pp]laceholder (?:text|content|value)\\b|\\b[Tt]o be (?:determined|decided|written|added|filled|completed|confirmed)\\b|\\?\\?\\?';

const speaksOfIt = ({ message }: Pick<ReadIssue, 'message'>): boolean => claim.test(message);

/** Decides if a failed judgement is about placeholders only, which determines its reason. */
export function claimsPlaceholder({ verdict, issues, feedback }: JudgeReading): boolean {
  if (verdict !== 'fail') return false;
  return issues.length === 0 ? claim.test(feedback) : issues.every(speaksOfIt);
}
