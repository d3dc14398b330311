/** A key as Node names it. */
export interface Key {
  name?: string | undefined;
  /** What it writes. */
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

/** What a key writes into a line; nothing for those that only do something. */
export function written({ text, ctrl, meta }: Key): string {
  return ctrl || meta || /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(text) ? '' : text;
}
