import type { ReadIssue, Reading } from './reading.ts';

/** Ways to speak of something that was left to be filled in. */
const claim =
  /\bTODOs?\b|\bTBDs?\b|\bFIXMEs?\b|\bto[- ]dos?\b|placeholder|lorem ipsum|\[\s?(?:insert|your|add|fill)\b|\bto be (?:determined|decided|written|added|filled|completed|confirmed)\b|\bfill(?:ed)?[- ]in\b|\bstub(?:bed)?\b/iu;

/** What a file shows where something was left. Capitals count: a list of todos is no TODO. */
export const placeholder =
  '\\b(?:TODO|TBD|FIXME|XXX)\\b|\\b[Tt]o ?do\\s?[:(]|\\[\\s?(?:INSERT|Insert|insert|YOUR|Your|ADD|Add|FILL|Fill|TODO|TBD|PLACEHOLDER|Placeholder|placeholder)\\b[^\\]\\n]{0,80}\\]|<\\s?(?:INSERT|Insert|YOUR|Your)\\b[^>\\n]{0,80}>|\\b[Ll]orem ipsum\\b|\\bPLACEHOLDER\\b|\\b[Pp]laceholder (?:text|content|value)\\b|\\b[Tt]o be (?:determined|decided|written|added|filled|completed|confirmed)\\b|\\?\\?\\?';

const speaksOfIt = ({ message }: Pick<ReadIssue, 'message'>): boolean => claim.test(message);

/** Whether a failed judgement speaks of something that was left to be filled in, and of nothing else: that names its reason. */
export function claimsPlaceholder({ verdict, issues, feedback }: Reading): boolean {
  if (verdict !== 'fail') return false;
  return issues.length === 0 ? claim.test(feedback) : issues.every(speaksOfIt);
}
