// The kind of a file: its bytes decide what is binary, and its MIME type, beginning and name what a text is.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCharset } from '../../../activities/documents/common/decode-charset.ts';
import { extract } from '../../../activities/documents/extract.ts';
import { kindOf, type FileKind } from '../../../activities/documents/kind-of.ts';
import { docx, page, pdf, plain, tar, zip } from './make-files.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000308', 'hex');

test.each<[string, Buffer | string, FileKind, { name?: string; type?: string }?]>([
  ['a PDF that a server calls HTML', page(plain('')), 'pdf', { name: 'a.html', type: 'text/html' }],
  ['a PDF of letters alone', '%PDF-1.4\n1 0 obj', 'pdf'],
  ['a PDF behind a header of a server', Buffer.concat([Buffer.from('HTTP: x\n'), pdf([])]), 'pdf'],
  ['a text that quotes a PDF', "const head = '%PDF-1.7';", 'text'],
  ['an archive with the name of a text', zip({ a: 'x' }), 'office', { name: 'a.txt', type: 'text/plain' }],
  ['a tar archive', tar([{ name: 'a' }]), 'tar', { name: 'a.zip' }],
  ['gzip data', gzipSync('x'), 'gzip'],
  ['an image', png, 'image', { type: 'application/pdf' }],
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'other', { type: 'text/plain' }],
  ['bytes of no known kind', Buffer.from([1, 0, 2]), 'other', { name: 'a.txt' }],
  ['UTF-16 that says so', Buffer.from('\ufeffhello', 'utf16le'), 'text'],
  ['a page by its MIME type', 'no tags', 'html', { type: 'text/html; charset=utf-8' }],
  ['a page by its beginning', '\ufeff <!-- x --> <!DOCTYPE html><p>', 'html', { type: 'text/plain' }],
  ['a page by its name', '<p>', 'html', { name: 'a.HTM' }],
  ['a page that a server calls JSON', '<html>', 'text', { type: 'application/json' }],
  ['a name that its type contradicts', '<p>', 'text', { name: 'a.html', type: 'text/markdown' }],
  ['nothing', '', 'text'],
])('%s is read as what it is', (_, content, kind, facts = {}) => {
  expect(kindOf({ bytes: Buffer.from(content as string), ...facts })).toBe(kind);
});

test('a MIME type and a name never change the kind of binary data', () => {
  const binary = fc
    .uint8Array({ minLength: 1, maxLength: 600 })
    .map((bytes) => Buffer.concat([bytes, Buffer.alloc(1)]));
  const facts = fc.record({ name: fc.string(), type: fc.constantFrom('text/html', 'application/pdf', 'x/y', '') });
  fc.assert(
    fc.property(binary, facts, (bytes, given) => {
      const alone = kindOf({ bytes });
      fc.pre(alone !== 'text');
      expect(kindOf({ bytes, ...given })).toBe(alone);
    }),
  );
});

const latin = Buffer.from('caf\xe9', 'latin1');

test.each<[string, Buffer, string, string]>([
  ['UTF-8', Buffer.from('café'), '', 'café'],
  ['a byte order mark against the header', Buffer.from('\ufeffcafé'), 'text/plain; charset=latin1', 'café'],
  ['UTF-16 by its mark', Buffer.from('\ufeffcafé', 'utf16le'), 'text/plain; charset=utf-8', 'café'],
  ['the charset of the header', Buffer.from([0xc1, 0xc2]), 'text/html; charset="windows-1251"', 'БВ'],
  [
    'the charset of a <meta>',
    Buffer.concat([Buffer.from('<meta charset=iso-8859-7>'), Buffer.from([0xe1])]),
    'text/html',
    '<meta charset=iso-8859-7>α',
  ],
  [
    'the encoding of XML',
    Buffer.concat([Buffer.from('<?xml version="1.0" encoding="koi8-r"?>'), Buffer.from([0xc1])]),
    '',
    '<?xml version="1.0" encoding="koi8-r"?>а',
  ],
  ['an unknown charset as none', Buffer.from('café'), 'text/plain; charset=klingon', 'café'],
  ['bytes that are no UTF-8', latin, '', 'café'],
  ['a text that claims to be UTF-16 in ASCII', Buffer.from('<meta charset="utf-16">é'), '', '<meta charset="utf-16">é'],
])('%s is decoded', (_, bytes, type, expected) => {
  expect(decodeCharset(bytes, type)).toBe(expected);
});

test.each<[string, Buffer, string | undefined, object]>([
  [
    'a zip archive',
    zip({ 'src/a.ts': 'let a;\n', 'b.md': '# B' }),
    undefined,
    { kind: 'zip', unit: 'entry', count: 2, text: 'src/a.ts (7 bytes)\nb.md (3 bytes)\n' },
  ],
  ['an entry of it', zip({ 'src/a.ts': 'let a;\n' }), 'src/a.ts', { kind: 'text', text: 'let a;\n' }],
  ['a document in it', zip({ 'a.docx': docx('<w:p><w:t>in</w:t></w:p>') }), 'a.docx', { kind: 'docx', text: 'in\n' }],
  ['an archive in it', zip({ 'a.zip': zip({ b: 'x' }) }), 'a.zip', { kind: 'zip', text: 'b (1 byte)\n' }],
  [
    'a tar archive',
    tar([
      { name: 'a/', type: '5' },
      { name: 'a/b', content: 'text' },
    ]),
    undefined,
    { kind: 'tar', count: 2, text: 'a/ (folder)\na/b (4 bytes)\n' },
  ],
  ['a file of a tar archive', tar([{ name: 'a/b', content: 'text' }]), 'a/b', { kind: 'text', text: 'text\n' }],
  [
    'a long name of a tar archive',
    tar([
      { name: '././@LongLink', type: 'L', content: `${'n'.repeat(150)}\0` },
      { name: 'cut', content: 'x' },
    ]),
    undefined,
    { text: `${'n'.repeat(150)} (1 byte)\n` },
  ],
  [
    'a name in a record of a tar archive',
    tar([
      { name: 'pax', type: 'x', content: '13 path=ä/ö\n' },
      { name: 'cut', content: 'x' },
    ]),
    undefined,
    { text: 'ä/ö (1 byte)\n' },
  ],
  [
    'a compressed tar archive',
    gzipSync(tar([{ name: 'a', content: 'text' }])),
    undefined,
    { kind: 'tar', label: 'compressed tar archive' },
  ],
  [
    'a file of a compressed tar archive',
    gzipSync(tar([{ name: 'a', content: 'text' }])),
    'a',
    { kind: 'text', text: 'text\n' },
  ],
  ['compressed text', gzipSync('text'), 'notes.txt', { kind: 'text', text: 'text\n' }],
  ['an image', png, undefined, { kind: 'image', image: { type: 'image/png', width: 2, height: 3 }, text: '' }],
  [
    'a program',
    Buffer.from('\x7fELF\x02\x01/lib64/ld-linux\0\x02', 'latin1'),
    undefined,
    { kind: 'other', label: 'ELF program', text: '/lib64/ld-linux' },
  ],
])('%s is extracted', async (_, source, part, expected) => {
  expect(await extract({ source, name: 'a/notes.txt.gz', part })).toMatchObject({ end: 'done', ...expected });
});

test('a cancelled extraction ends at once', async () => {
  const controller = new AbortController();
  const busy = extract({ source: zip({ a: Buffer.alloc(50_000_000) }), part: 'a' }, controller.signal);
  controller.abort();
  expect((await busy).end).toBe('failed');
});

test('five documents at once wait for each other and are all read', async () => {
  const texts = await Promise.all([1, 2, 3, 4, 5].map((n) => extract({ source: docx(`<w:p><w:t>${n}</w:t></w:p>`) })));
  expect(texts.map((extracted) => (extracted.end === 'done' ? extracted.text : ''))).toEqual([
    '1\n',
    '2\n',
    '3\n',
    '4\n',
    '5\n',
  ]);
});

test('any bytes behind the beginning of a document end in a result', async () => {
  const beginnings = fc.constantFrom(
    '%PDF-1.7\n',
    'PK\x03\x04',
    '\x1f\x8b\x08\0',
    '',
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R',
  );
  const runs = Number(process.env['HEDDLE_FUZZ_RUNS'] ?? 100);
  await fc.assert(
    fc.asyncProperty(beginnings, fc.uint8Array({ maxLength: 400 }), async (beginning, rest) => {
      const extracted = await extract({ source: Buffer.concat([Buffer.from(beginning, 'latin1'), rest]) });
      expect(['done', 'failed']).toContain(extracted.end);
    }),
    { numRuns: runs },
  );
});

test('a document that is cut or changed at any byte ends in a result', async () => {
  const whole = [
    docx('<w:p><w:t>some text</w:t></w:p>'),
    page(plain('BT /F1 9 Tf (text) Tj ET')),
    gzipSync(tar([{ name: 'a' }])),
  ];
  const runs = Number(process.env['HEDDLE_FUZZ_RUNS'] ?? 100);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whole), fc.nat(), fc.nat(255), fc.boolean(), async (bytes, at, value, cut) => {
      const source = Buffer.from(cut ? bytes.subarray(0, at % bytes.length) : bytes);
      if (!cut) source[at % bytes.length] = value;
      const extracted = await extract({ source });
      expect(['done', 'failed']).toContain(extracted.end);
    }),
    { numRuns: runs },
  );
});
