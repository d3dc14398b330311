/** A key as Node names it. */
export interface Key {
  name?: string | undefined;
  /** The text that it writes. */
  text: string;
  ctrl: boolean;
  meta: boolean;
  shift: boolean;
}

/** Text that came in one piece from the clipboard: nothing in it is an order. */
export interface Pasted {
  pasted: string;
}

export type Press = Key | Pasted;

/** The text that a key writes into a line; empty for keys that only do something. */
export function written({ text, ctrl, meta }: Key): string {
  return ctrl || meta || /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(text) ? '' : text;
}
