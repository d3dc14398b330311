import type { ImageSize } from '../../domain/conversation/image.ts';

/** Reads the type and size of an image from its first bytes. Undefined for unknown types and incomplete headers. Nothing is decoded. */
export function readHeader(bytes: Buffer): ImageSize | undefined {
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const size = read(bytes);
    if (size !== undefined) return size.width > 0 && size.height > 0 ? size : undefined;
  }
  return undefined;
}

const textAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

function readPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || !textAt(bytes, 0, '\x89PNG\r\n\x1a\n') || !textAt(bytes, 12, 'IHDR')) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !(textAt(bytes, 0, 'GIF87a') || textAt(bytes, 0, 'GIF89a'))) return undefined;
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Sides have 14 bits, less one in the two newer forms. */
function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !textAt(bytes, 0, 'RIFF') || !textAt(bytes, 8, 'WEBP')) return undefined;
  const type = 'image/webp' as const;
  if (textAt(bytes, 12, 'VP8X'))
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (textAt(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const sides = bytes.readUInt32LE(21);
    return { type, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  }
  if (textAt(bytes, 12, 'VP8 ') && textAt(bytes, 23, '\x9d\x01\x2a'))
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}

/** The sides stand in the segment that starts a frame, behind any number of others. */
function readJpeg(bytes: Buffer): ImageSize | undefined {
  if (!textAt(bytes, 0, '\xff\xd8\xff')) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (startsFrame(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else if (hasNoLength(marker)) at += 2;
    // The picture itself begins: no frame was said before it.
    else if (marker === 0xda) return undefined;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
