/** `word`: in capitals; `text`: what stands in quotes; `mark`: any other character. */
export interface SqlToken {
  kind: 'word' | 'text' | 'mark';
  text: string;
}

/** The points on which databases disagree. */
export interface SqlDialect {
  /** A backslash in quotes is an escape. */
  escapes: boolean;
  /** `$$ ... $$` are quotes. */
  dollars: boolean;
}

const plain: SqlDialect = { escapes: false, dollars: false };
const postgres: readonly SqlDialect[] = [
  { escapes: false, dollars: true },
  { escapes: true, dollars: true },
];

/** How the server behind a client may read a text: strings differ by its settings. */
export const listDialects = (client: string): readonly SqlDialect[] =>
  /^(?:psql|pgcli|cockroach)$/.test(client) ? postgres : [plain, { ...plain, escapes: true }, ...postgres];

const quotes = {
  plain: { "'": /'(?:[^']|'')*(?:'|$)/y, '"': /"(?:[^"]|"")*(?:"|$)/y, '`': /`[^`]*(?:`|$)/y },
  escaped: { "'": /'(?:[^'\\]|\\[^]|'')*(?:'|\\?$)/y, '"': /"(?:[^"\\]|\\[^]|"")*(?:"|\\?$)/y, '`': /`[^`]*(?:`|$)/y },
};

/**
 * Comments go, but for those that MySQL runs. What only some databases take for a comment is read: `#`, `--` without a space behind it, and
 * what follows the first end of nested ones.
 */
const skipped = /\s+|--(?=\s|$)[^\n]*|\/\*!\d*|\/\*(?!!)[^]*?(?:\*\/|$)|\*\//y;
const word = /[\p{L}_][\p{L}\p{N}_$]*|\p{N}+/uy;
const dollarQuote = /\$[A-Za-z_]*\$/y;

/** Each character is looked at a bounded number of times, but for the search of the other end of dollar quotes. */
export function tokenizeSql(text: string, { escapes, dollars }: SqlDialect): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) at += match.length;
    return match;
  };
  const style = escapes ? quotes.escaped : quotes.plain;
  while (at < text.length) {
    if (take(skipped) !== undefined) continue;
    const mark = text[at] ?? '';
    const quoted = mark === "'" || mark === '"' || mark === '`' ? take(style[mark]) : undefined;
    const tag = dollars && quoted === undefined ? take(dollarQuote) : undefined;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1) });
    else if (tag !== undefined) {
      const end = text.indexOf(tag, at);
      tokens.push({ kind: 'text', text: text.slice(at, end === -1 ? undefined : end) });
      at = end === -1 ? text.length : end + tag.length;
    } else {
      const name = take(word);
      if (name === undefined) at += mark.length;
      tokens.push(name === undefined ? { kind: 'mark', text: mark } : { kind: 'word', text: name.toUpperCase() });
    }
  }
  return tokens;
}
