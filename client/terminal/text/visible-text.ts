/** Everything that a terminal obeys or hides, except line feeds, tabs, and the two joiners that some scripts and emoji need. */
const invisible = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const colours = /\u001b\[[\d;]*m/g;
/** A sequence of colours, or a line end, of which more may follow. Nothing is lost by one that nothing follows. */
const unfinished = /(?:\u001b(?:\[[\d;]{0,40})?|\r)$/;

/**
 * Somebody else's text for a terminal, piece by piece: what the terminal would obey, or what would hide or reorder the rest, is shown by its
 * number. Programs may keep their colours.
 */
export class VisibleText {
  readonly #keepsColours: boolean;
  readonly #decoder = new TextDecoder();
  #held = '';

  constructor({ keepsColours }: { keepsColours: boolean }) {
    this.#keepsColours = keepsColours;
  }

  push(chunk: Uint8Array | string): string {
    const text = this.#held + (typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }));
    this.#held = unfinished.exec(text)?.[0] ?? '';
    return this.#show(text.slice(0, text.length - this.#held.length));
  }

  #show(text: string): string {
    // A carriage return would write over the text before it.
    const lines = text.replace(/\r\n?/g, '\n');
    if (!this.#keepsColours) return showHidden(lines);
    let shown = '';
    let from = 0;
    for (const { 0: sequence, index } of lines.matchAll(colours)) {
      shown += showHidden(lines.slice(from, index)) + sequence;
      from = index + sequence.length;
    }
    return shown + showHidden(lines.slice(from));
  }
}

const showHidden = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
