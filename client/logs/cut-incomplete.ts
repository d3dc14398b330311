/** Parts bytes of UTF-8 before a last character that is not whole yet. */
export function cutIncomplete(bytes: Buffer<ArrayBuffer>): [whole: Buffer<ArrayBuffer>, rest: Buffer<ArrayBuffer>] {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    // The byte within a character, else the first of one, whose high bits tell its length.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    const at = length > back ? bytes.length - back : bytes.length;
    return [bytes.subarray(0, at), bytes.subarray(at)];
  }
  return [bytes, bytes.subarray(bytes.length)];
}
