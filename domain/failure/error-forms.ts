/** Where the number of an HTTP status is said to be one. A bare number is a line, a port or a size. */
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

/** How programs say in a sentence that a service answered with one of these. */
export function saysStatus(...codes: number[]): RegExp[] {
  return codes.flatMap((code) => {
    const reason = reasons[code] ?? 'error';
    return [
      new RegExp(`\\b(?:${before})["']?[ :=(\\[]{0,3}(?:status |code |an? ){0,2}["']?${code}\\b(?!\\.\\d)`, 'i'),
      new RegExp(`\\b${code}:? (?:client error: |server error: )?["']?${reason}\\b`, 'i'),
      new RegExp(`\\b${reason}\\s?[:(]\\s?${code}\\b`, 'i'),
      new RegExp(`(?:^|\\berror: |\\berror )\\(?${code}\\)?:? \\{`, 'i'),
      // Barer words need the end of their clause: "got 500 rows" is no status.
      new RegExp(
        `\\b(?:error:?|got|received|returned|responded|answered)(?: with)?(?: an?)? ${code}(?=$|[.:;,!)\\]]| from\\b)`,
        'i',
      ),
    ];
  });
}

/** The same in a form that is no sentence: a status line, a member of an error's JSON, the code of a package manager. */
export function formsStatus(...codes: number[]): RegExp[] {
  return codes.flatMap((code) => [
    new RegExp(`^[<\\s]{0,3}HTTP\\/\\d(?:\\.\\d)? ${code}\\b`),
    new RegExp(
      `\\berror\\b.{0,200}["'](?:code|status|statusCode|status_code)["']\\s{0,3}:\\s{0,3}["']?${code}\\b`,
      'i',
    ),
    new RegExp(`^npm (?:error|ERR!) code E${code}\\b`),
  ]);
}

/** An error's JSON that names it so; `names` with bars between them. `terminal_reason` only says that some error ended it. */
export const namesError = (names: string): RegExp =>
  new RegExp(`(?<!["']terminal_reason["'])[:[]\\s{0,3}["'](?:${names})["']`);

/** A clause that is nothing else: `Error: forbidden`, `[agent] rate limit: wait`. */
export const headline = (alternatives: string): RegExp =>
  new RegExp(`(?:^|[:\\]>)] )(?:${alternatives})(?=$|[.:;,!(|])`, 'i');
