/** Credentials that can be told by their form alone. Each pattern asks for enough to be no word, and looks at a character a bounded number of times. */
const forms: { name: string; pattern: RegExp }[] = [
  {
    name: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----BEGIN)[^]){0,20000}?-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|[^-]{0,20000})/g,
  },
  { name: 'api-key', pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,256}/g },
  {
    name: 'github-token',
    pattern: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { name: 'aws-key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { name: 'slack-token', pattern: /(?<![A-Za-z0-9])xox[abpors]-(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9-]{10,250}/g },
  {
    name: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,2048}/g,
  },
];

/** A text without credentials of well-known forms. */
export function redactKnownSecrets(text: string): string {
  return forms.reduce((shown, { name, pattern }) => shown.replace(pattern, `[${name}]`), text);
}
