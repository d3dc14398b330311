/* Plan and config files share the way from bytes to text. */

/** A position in a text, line and column counted from 1. */
export interface Position {
  line: number;
  column: number;
}

export function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
};

/** Explains why a file cannot be read, by the code of the system's error: the end of a sentence about the file. */
export const formatUnreadable = (code: string): string => reasons[code] ?? `cannot be read (${code})`;

/** Decodes a file, or returns the position of the first byte that is not UTF-8. */
export function decodeText(bytes: Uint8Array): { text: string } | { broken: Position } {
  try {
    // The decoder drops the byte order mark, so that columns count what people see.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const before = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0] ?? '';
    return { broken: positionIn(before, before.length) };
  }
}
