import { sniffType } from './sniff-type.ts';

export type Decoded =
  /** `exact`: the text has every byte of the file, so that it may be written back. */
  { kind: 'text'; text: string; exact: boolean } | { kind: 'binary'; type: string };

/** A byte order mark stays in the text: an edit must not lose it. */
const options = { ignoreBOM: true };

/** UTF-8, or UTF-16 that says so. `cut`: the bytes may end inside a character. */
export function decodeText(bytes: Buffer, cut: boolean): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wide('utf-16le', bytes, cut);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wide('utf-16be', bytes, cut);
  const type = sniffType(bytes);
  if (type !== undefined || bytes.includes(0)) return { kind: 'binary', type: type ?? 'binary data' };
  try {
    const text = new TextDecoder('utf-8', { ...options, fatal: true }).decode(bytes, { stream: cut });
    return { kind: 'text', text, exact: !cut };
  } catch {
    return { kind: 'text', text: new TextDecoder('utf-8', options).decode(bytes), exact: false };
  }
}

const wide = (encoding: string, bytes: Buffer, cut: boolean): Decoded => ({
  kind: 'text',
  text: new TextDecoder(encoding).decode(bytes, { stream: cut }),
  exact: false,
});
