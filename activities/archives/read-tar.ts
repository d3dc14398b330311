export interface TarEntry {
  /** As the archive has it; see `ZipEntry`. */
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  size: number;
  /** Position of the first byte of its content. */
  start: number;
}

const block = 512;

/** Bytes of a long name that are read. */
const longestName = 4_096;

/** Is there a header of a tar archive at the beginning? Its checksum tells. */
export function isTar(bytes: Buffer): boolean {
  return bytes.length >= block && hasChecksum(bytes.subarray(0, block));
}

/** Lists a tar archive; `cut` when its end is missing. Sizes that lie only end the list. */
export function readTar(bytes: Buffer, most: number): { entries: TarEntry[]; cut: boolean } {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  for (let at = 0; entries.length < most;) {
    if (at + block > bytes.length) return { entries, cut: at > bytes.length };
    const header = bytes.subarray(at, at + block);
    if (!hasChecksum(header)) return { entries, cut: header.some((byte) => byte !== 0) };
    const size = readNumber(header.subarray(124, 136));
    const type = String.fromCharCode(header[156] ?? 0);
    const start = at + block;
    if (type === 'L') longName = text(bytes.subarray(start, start + Math.min(size, longestName)));
    else if (type === 'x')
      longName = findPaxPath(bytes.subarray(start, start + Math.min(size, 2 * longestName))) ?? longName;
    else if (type !== 'g' && type !== 'K') {
      entries.push({ name: longName ?? readName(header), kind: kindOf(type), size, start });
      longName = undefined;
    }
    at = start + Math.ceil(size / block) * block;
  }
  return { entries, cut: true };
}

function kindOf(type: string): TarEntry['kind'] {
  if (type === '0' || type === '\0' || type === '7') return 'file';
  if (type === '5') return 'folder';
  return type === '1' || type === '2' ? 'link' : 'other';
}

function readName(header: Buffer): string {
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(header.subarray(345, 500)) : '';
  const name = text(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** A record is `LENGTH path=NAME` and a line break. */
function findPaxPath(records: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)/.exec(records.toString('utf8'))?.[1];
}

/** Octal digits, or a binary number that says so by its first bit. */
function readNumber(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.readUIntBE(field.length - 6, 6);
    return Number.isSafeInteger(value) ? value : 0;
  }
  const value = Number.parseInt(field.toString('latin1').replace(/[\0 ]/g, ''), 8);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function hasChecksum(header: Buffer): boolean {
  let sum = 8 * 32;
  for (let at = 0; at < block; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return sum > 8 * 32 && sum === readNumber(header.subarray(148, 156));
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}
