import type { Issue } from '../types/attempt.ts';
import { clip } from '../text/text.ts';

/** Characters of what was found that an event tells. */
const longestText = 300;

/** Formats issues as one line of the log. */
export const formatIssues = (issues: readonly Issue[]): string =>
  clip(issues.map(({ message }) => message).join(' '), longestText);
