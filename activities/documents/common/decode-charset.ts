/** Bytes at the beginning in which a page or an XML text names its encoding. */
const declaredWithin = 1_024;

/**
 * Decodes a text by its byte order mark, else by the charset that `type` (a MIME type with parameters) or the text itself declares, else as
 * UTF-8, else as Windows-1252, in which every byte has a meaning. Unknown names of encodings count as none.
 */
export function decodeCharset(bytes: Uint8Array, type = ''): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  const head = Buffer.from(bytes.subarray(0, declaredWithin)).toString('latin1');
  for (const name of [/charset\s*=\s*["']?([\w.:-]+)/i.exec(type)?.[1], findDeclared(head)]) {
    const decoder = createDecoder(name);
    if (decoder !== undefined) return decoder.decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The encoding that an XML declaration or a `<meta>` of HTML names. */
function findDeclared(head: string): string | undefined {
  const name =
    /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1];
  // It was read byte by byte, so it cannot be what it says.
  return name !== undefined && /^utf-16/i.test(name) ? 'utf-8' : name;
}

function createDecoder(name: string | undefined): { decode(bytes: Uint8Array): string } | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}
