import { limits } from '../../limits/domain-limits.ts';
import { withoutThoughts } from '../../output/thoughts.ts';

/** Patterns that have no place in a sentence for a person who is no engineer. */
const foreign: readonly RegExp[] = [
  // More than one paragraph, and what a terminal would obey or nobody sees.
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u,
  // Paths from a root, a home or a drive, of a share, and addresses.
  /(?<![\p{L}\p{N}_.)])[\\/][\p{L}\p{N}_.@~+-]/u,
  /~[\p{L}\p{N}_.-]*[\\/]/u,
  /(?<![\p{L}\p{N}])[A-Za-z]:[\\/]/u,
  /\\|:\/\/|(?:file|data|javascript):\S/iu,
  // Code: fences, brackets, operators, calls, variables.
  /[`{}=|^]|&&|->|::|__|\*\*|\w\[|\]\(/u,
  /\w\(\)|\.\w+\(|\);|;$|\$[A-Za-z_(]/u,
  // Frames of a stack, and names of errors.
  /[\p{L}_)]:\d+:\d+/u,
  /\bTraceback\b|\bline \d+, in\b/u,
  /\b\w*(?:Error|Exception):|\b[A-Z]\w+(?:Error|Exception)\b/u,
  // Tags, headings and lists.
  /<[\p{L}/!?]/u,
  /^(?:[#>*+-]|\d+[.)])\s/u,
];

/** A text of a model that a person may be shown as it is; null where it is no plain English of one paragraph. Never throws. */
export function readPlainText(reply: string): string | null {
  const text = withoutThoughts(reply).trim();
  const isPlain = /\p{L}/u.test(text) && text.length <= limits.problem && !foreign.some((rule) => rule.test(text));
  return isPlain ? text : null;
}
