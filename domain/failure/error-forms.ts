/** Words that mark a number as an HTTP status. A bare number may be a line, a port or a size. */
const before = [
  'HTTP(?:\\/\\d(?:\\.\\d)?)?',
  'HTTP (?:error|status|response|code)',
  'status(?:[ _-]?code)?',
  'response code',
  'error[ _-]?code',
  'API error',
  'returned error',
  'server response',
  'responded with',
  'failed with',
].join('|');

const reasons: Readonly<Record<number, string>> = {
  401: 'unauthori[sz]ed',
  402: 'payment required',
  403: 'forbidden',
  407: 'proxy authentication required',
  413: '(?:payload|content|request entity) too large',
  429: 'too many requests',
  500: 'internal server error',
  502: 'bad gateway',
  503: 'service (?:temporarily )?unavailable',
  504: 'gateway time-?out',
  529: '(?:site is )?overloaded',
};

/** Patterns of sentences in which programs report such a status. */
export function statusSentences(...codes: number[]): RegExp[] {
  return codes.flatMap((code) => {
    const reason = reasons[code] ?? 'error';
    return [
      new RegExp(`\\b(?:${before})["']?[ :=(\\[]{0,3}(?:status |code |an? ){0,2}["']?${code}\\b(?!\\.\\d)`, 'i'),
      new RegExp(`\\b${code}:? (?:client error: |server error: )?["']?${reason}\\b`, 'i'),
      new RegExp(`\\b${reason}\\s?[:(]\\s?${code}\\b`, 'i'),
      new RegExp(`(?:^|\\berror: |\\berror )\\(?${code}\\)?:? \\{`, 'i'),
      // Shorter forms must end their clause: "got 500 rows" is not a status.
      new RegExp(
        `\\b(?:error:?|got|received|returned|responded|answered)(?: with)?(?: an?)? ${code}(?=$|[.:;,!)\\]]| from\\b)`,
        'i',
      ),
    ];
  });
}

/** Patterns outside sentences: a status line, a member of an error's JSON, the code of a package manager. */
export function statusForms(...codes: number[]): RegExp[] {
  return codes.flatMap((code) => [
    new RegExp(`^[<\\s]{0,3}HTTP\\/\\d(?:\\.\\d)? ${code}\\b`),
    new RegExp(
      `\\berror\\b.{0,200}["'](?:code|status|statusCode|status_code)["']\\s{0,3}:\\s{0,3}["']?${code}\\b`,
      'i',
    ),
    new RegExp(`^npm (?:error|ERR!) code E${code}\\b`),
  ]);
}

/** Matches an error's JSON with one of these names, separated by bars. `terminal_reason` does not count: any error sets it. */
export const errorNamed = (names: string): RegExp =>
  new RegExp(`(?<!["']terminal_reason["'])[:[]\\s{0,3}["'](?:${names})["']`);

/** Matches a clause that consists of the error alone: `Error: forbidden`, `[agent] rate limit: wait`. */
export const headline = (alternatives: string): RegExp =>
  new RegExp(`(?:^|[:\\]>)] )(?:${alternatives})(?=$|[.:;,!(|])`, 'i');
