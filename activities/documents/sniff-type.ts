import { isUtf8 } from 'node:buffer';

/** The first bytes of files that are not text; `.` stands for any byte. */
const magic: [string, string][] = [
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['RIFF....WEBP', 'WebP image'],
  ['RIFF....WAVE', 'WAV audio'],
  ['BM....\0\0\0\0', 'BMP image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['....ftypavif', 'AVIF image'],
  ['....ftypheic', 'HEIC image'],
  ['....ftyp', 'MP4 video'],
  ['\0\0\x01\0', 'icon'],
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive or office document'],
  ['\x1f\x8b', 'gzip archive'],
  ['BZh', 'bzip2 archive'],
  ['\xfd7zXZ\0', 'xz archive'],
  ['(\xb5/\xfd', 'zstd archive'],
  ["7z\xbc\xaf'\x1c", '7z archive'],
  ['\x7fELF', 'ELF program'],
  ['MZ....\0', 'Windows program'],
  ['\xca\xfe\xba\xbe', 'Java class or macOS program'],
  ['\0asm', 'WebAssembly'],
  ['SQLite format 3\0', 'SQLite database'],
  ['ID3', 'MP3 audio'],
  ['OggS', 'Ogg audio'],
  ['wOFF', 'font'],
  ['wOF2', 'font'],
];

/** Tells the type of a file by its first bytes; undefined for text and for unknown types. */
export function sniffType(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 32).toString('latin1');
  const signature = magic.find(([start]) => head.length >= start.length && fits(head, start));
  // Letters alone may begin a text too: then only bytes that no text has tell.
  return signature !== undefined && (/[^\x20-\x7e\r\n]/.test(signature[0]) || bytes.includes(0) || !isUtf8(bytes))
    ? signature[1]
    : undefined;
}

function fits(head: string, start: string): boolean {
  for (let at = 0; at < start.length; at += 1) if (start[at] !== '.' && start[at] !== head[at]) return false;
  return true;
}
