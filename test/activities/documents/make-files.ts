import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** One file of an archive; `packed` bytes are taken as they are, and `size` is what the archive promises. */
export interface ZipFile {
  name: string;
  content?: string | Buffer;
  packed?: Buffer;
  size?: number;
  flags?: number;
}

/** A zip archive of deflated files. */
export function zip(files: Record<string, string | Buffer> | ZipFile[]): Buffer {
  const list: ZipFile[] = Array.isArray(files)
    ? files
    : Object.entries(files).map(([name, content]) => ({ name, content }));
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', packed = deflateRawSync(content), size, flags = 0x800 } of list) {
    const bytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(bytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size ?? Buffer.byteLength(content), 24);
    entry.writeUInt16LE(bytes.length, 28);
    entry.writeUInt32LE(offset, 42);
    bodies.push(local, bytes, packed);
    directory.push(entry, bytes);
    offset += 30 + bytes.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(list.length & 0xffff, 8);
  end.writeUInt16LE(list.length & 0xffff, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, entries, end]);
}

const kinds = {
  docx: ['word/document.xml', 'wordprocessingml.document.main+xml'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation.main+xml'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet.main+xml'],
} as const;

/** An office document with a main text and other entries; their relations are those of the main text. */
export function office(
  kind: keyof typeof kinds,
  main: string,
  more: { files?: Record<string, string | Buffer>; relations?: Record<string, string> } = {},
): Buffer {
  const [name, type] = kinds[kind];
  const relations = Object.entries(more.relations ?? {}).map(
    ([target, relation], index) =>
      `<Relationship Id="rId${index + 1}" Type="http://x/${relation}" Target="${target}"/>`,
  );
  return zip({
    '[Content_Types].xml': `<Types><Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="http://x/officeDocument" Target="${name}"/></Relationships>`,
    [name.replace(/([^/]+)$/, '_rels/$1.rels')]: `<Relationships>${relations.join('')}</Relationships>`,
    [name]: main,
    ...more.files,
  });
}

export const docx = (body: string): Buffer => office('docx', `<w:document><w:body>${body}</w:body></w:document>`);

/** A workbook with one sheet. */
export function xlsx(rows: string, files: Record<string, string> = {}): Buffer {
  return office('xlsx', '<workbook><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>', {
    files: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`, ...files },
    relations: { 'worksheets/sheet1.xml': 'worksheet', 'sharedStrings.xml': 'sharedStrings', 'styles.xml': 'styles' },
  });
}

export type PdfObject = string | { dictionary: string; stream: Buffer };

/** A PDF of numbered objects, the first of which is its catalog. */
export function pdf(objects: PdfObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (bytes: Buffer): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === 'string') push(Buffer.from(`${object}\nendobj\n`));
    else {
      push(Buffer.from(`<< ${object.dictionary} /Length ${object.stream.length} >>\nstream\n`));
      push(object.stream);
      push(Buffer.from('\nendstream\nendobj\n'));
    }
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = length;
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`));
  push(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A PDF of one page with the given content. */
export const page = (content: { dictionary: string; stream: Buffer }, more: PdfObject[] = [], resources = ''): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
    content,
    font,
    ...more,
  ]);

export const plain = (content: string): { dictionary: string; stream: Buffer } => ({
  dictionary: '',
  stream: Buffer.from(content),
});

export const flate = (content: Buffer): { dictionary: string; stream: Buffer } => ({
  dictionary: '/Filter /FlateDecode',
  stream: deflateSync(content),
});

/** A tar archive; `size` is what a header promises. */
export function tar(files: { name: string; content?: string; size?: number; type?: string }[]): Buffer {
  const blocks = files.map(({ name, content = '', size = Buffer.byteLength(content), type = '0' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644', 100);
    header.write(`${size.toString(8).padStart(11, '0')} `, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return Buffer.concat([header, body]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}
