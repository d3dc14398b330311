import { limits } from '../limits/domain-limits.ts';

/** Characters that turn text around or are not seen. */
const turning = /[\u202a-\u202e\u2066-\u2069]/u;

/** Finds what is wrong with the text of a lesson that a person wrote; undefined: nothing. */
export function findTextProblem(text: string): string | undefined {
  if (text.trim() === '') return 'A lesson needs a text';
  if (text.length > limits.lessons.text)
    return `A lesson has at most ${limits.lessons.text} characters, and this one has ${text.length}`;
  if (turning.test(text)) return 'A lesson has no characters that change the direction of text';
  return undefined;
}

/** Texts that no model may store: a later prompt would show them to another one. */
const refused: readonly { what: string; pattern: RegExp }[] = [
  {
    what: 'an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,19}:\/\/|\bwww\.[a-z0-9-]|\b\d{1,3}(?:\.\d{1,3}){3}\b|@[\w-]+\.\w/i,
  },
  { what: 'an absolute path', pattern: /(?:^|[\s"'`(=:])(?:~?\/[^\s/]|[A-Za-z]:[\\/]|\\\\)/u },
  { what: 'a tag', pattern: /<\/?[a-z!?]|&lt;/i },
  { what: 'a fence', pattern: /`{2,}|~{3,}/ },
  { what: 'a format character', pattern: /[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u },
  { what: 'a control character', pattern: /\p{Cc}/u },
  { what: 'a secret', pattern: /\bBEGIN [A-Z ]*PRIVATE KEY|\b[A-Za-z0-9_-]{32,}\b/ },
];

/** Finds what keeps the text of a model from being a lesson; undefined: nothing. */
export function findModelTextProblem(text: string): string | undefined {
  return findTextProblem(text) ?? refused.find(({ pattern }) => pattern.test(text))?.what;
}
