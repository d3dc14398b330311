import { activityLimits } from '../limits/activity-limits.ts';
import { secretForms } from './secret-forms.ts';
import { type Pattern, SecretSearch } from './secret-search.ts';
import { SecretStream } from './secret-stream.ts';

/** Variables that say where and how a program runs; output holds their values for good reasons. */
export const harmlessVariables: readonly string[] =
  'PATH HOME LANG LC_ALL TERM USER LOGNAME SHELL PWD TMPDIR TZ CI NODE_ENV EDITOR HOSTNAME DISPLAY XDG_RUNTIME_DIR'.split(
    ' ',
  );

/** A stream without secrets: what `push` and, at its end, `end` return may be shown. */
export interface RedactedStream {
  push(chunk: Buffer): Buffer;
  end(): Buffer;
}

const unchanged: RedactedStream = { push: (chunk) => chunk, end: () => Buffer.alloc(0) };

/** Replaces the values of variables by their names, before anything is cut, stored or told. */
export class Redactor {
  /** Removes nothing: for callers without secrets. */
  static readonly none = new Redactor({});
  readonly #search: SecretSearch | undefined;

  constructor(
    variables: Readonly<Record<string, string | readonly string[] | undefined>>,
    harmless: readonly string[] = harmlessVariables,
  ) {
    const patterns = Object.entries(variables).flatMap(([name, value = []]) =>
      harmless.includes(name)
        ? []
        : [value].flat().flatMap((each) => secretForms(each).flatMap((form) => buildPatterns(form, name))),
    );
    this.#search = patterns.length === 0 ? undefined : new SecretSearch(patterns);
  }

  /** A whole text, without its secrets. */
  text(text: string): string {
    if (this.#search === undefined) return text;
    const bytes = Buffer.from(text);
    const stream = new SecretStream(this.#search);
    const shown = Buffer.concat([stream.push(bytes), stream.flush()]);
    return shown.equals(bytes) ? text : shown.toString();
  }

  /** Returns true if a text holds a secret. */
  finds(text: string): boolean {
    return this.text(text) !== text;
  }

  stream(): RedactedStream {
    return this.#search === undefined ? unchanged : new SecretStream(this.#search);
  }
}

/** A long form is looked for in pieces, so that little is held back while it arrives; its last piece is never a short one. */
function buildPatterns(form: string, label: string): Pattern[] {
  const { longestPiece, shortest } = activityLimits.redact;
  const bytes = Buffer.from(form);
  const patterns: Pattern[] = [];
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.length - at;
    const length = rest < longestPiece + shortest ? rest : longestPiece;
    patterns.push({ bytes: bytes.subarray(at, at + length), label });
    at += length;
  }
  return patterns;
}
