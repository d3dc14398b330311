// Documents that were made to hang or to fill a reader: each ends in an error or in a bounded text, and the worker's thread goes on.
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extract } from '../../../activities/documents/extract.ts';
import type { Extracted } from '../../../activities/documents/common/extraction.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { docx, flate, office, page, pdf, plain, tar, xlsx, zip, type PdfObject } from './make-files.ts';

const { text: longest, timeout } = activityLimits.documents;

/** Making a gigabyte takes longer than refusing it: `HEDDLE_LARGE=1` has the whole sizes. */
const large = process.env['HEDDLE_LARGE'] !== undefined;
const sized = (count: number): number => (large ? count : count / 5);

/** A heartbeat is a timer of this thread: the longest gap between two of them. */
let latest = 0;
let last = performance.now();
let timer: NodeJS.Timeout;
const beat = (): void => {
  const now = performance.now();
  latest = Math.max(latest, now - last - 100);
  last = now;
};
beforeAll(() => {
  timer = setInterval(beat, 100);
});
afterAll(() => clearInterval(timer));

/** Made outside of the measured time, since making it holds this thread. */
async function read(source: Buffer, part?: string): Promise<Extracted> {
  last = performance.now();
  const start = last;
  const extracted = await extract({ source, part });
  beat();
  expect(performance.now() - start).toBeLessThan(timeout + 5_000);
  expect(latest).toBeLessThan(1_000);
  if (extracted.end === 'done') expect(extracted.text.length).toBeLessThanOrEqual(longest);
  return extracted;
}

const reasonOf = (extracted: Extracted): string => (extracted.end === 'failed' ? extracted.reason : '');
const textOf = (extracted: Extracted): string => (extracted.end === 'done' ? extracted.text : extracted.reason);

const p = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const nested = (count: number, open: string, inside: string, close: string): string =>
  open.repeat(count) + inside + close.repeat(count);

test('tables in tables, 200,000 deep, are one row', async () => {
  const open = '<w:tbl><w:tr><w:tc>';
  const extracted = await read(docx(nested(sized(200_000), open, p('deep'), '</w:tc></w:tr></w:tbl>')));
  expect(textOf(extracted)).toBe('| deep |\n| --- |\n');
});

test('800,000 paragraphs end at the limit of the text', async () => {
  const extracted = await read(docx(p('word'.repeat(5)).repeat(sized(800_000))));
  expect(extracted).toMatchObject({ end: 'done', notes: ['Only the beginning of the text is kept.'] });
  expect(textOf(extracted).length).toBeGreaterThan(longest * 0.9);
});

test('800,000 short paragraphs are all read', async () => {
  const extracted = await read(docx(p('a').repeat(sized(800_000))));
  expect(textOf(extracted).length).toBe(2 * sized(800_000));
});

test('one paragraph of 60 MB ends at the limit of the text', async () => {
  const extracted = await read(docx(`<w:p>${'<w:r><w:t>word word word</w:t></w:r>'.repeat(sized(1_700_000))}</w:p>`));
  expect(textOf(extracted).length).toBeGreaterThan(longest * 0.9);
});

test('a document that unpacks to 300 MB is refused', async () => {
  const packed = deflateRawSync(Buffer.alloc(300_000_000, ' '));
  const bomb = zip([
    {
      name: '_rels/.rels',
      content:
        '<Relationships><Relationship Id="r" Type="/officeDocument" Target="word/document.xml"/></Relationships>',
    },
    {
      name: '[Content_Types].xml',
      content: '<Types><Override PartName="/word/document.xml" ContentType="wordprocessingml"/></Types>',
    },
    { name: 'word/document.xml', packed },
  ]);
  expect(reasonOf(await read(bomb))).toBe('it unpacks to more than 64 MB');
});

test('entities that stand for each other are not expanded', async () => {
  const entities = Array.from({ length: 10 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('');
  const main = `<!DOCTYPE d [<!ENTITY e0 "lol">${entities}]><w:document><w:body>${p('&e10;')}</w:body></w:document>`;
  expect(textOf(await read(office('docx', main)))).toBe('&e10;\n');
});

test('styles that are based on each other end', async () => {
  const styles =
    '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>';
  const bytes = office('docx', '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:t>x</w:t></w:p>', {
    files: { 'word/styles.xml': styles },
    relations: { 'styles.xml': 'styles' },
  });
  expect(textOf(await read(bytes))).toBe('x\n');
});

test('a column that no sheet has is left out', async () => {
  const extracted = await read(xlsx('<row r="1"><c r="A1"><v>1</v></c><c r="ZZZZZZZZZ1"><v>2</v></c></row>'));
  expect(extracted).toMatchObject({ end: 'done', text: '## Sheet One\n1\n' });
  expect(extracted).toMatchObject({ notes: ['Columns of One behind the first 500 are missing.'] });
});

test('100,000 rows with a cell in the last column have no columns behind the 500th', async () => {
  const rows = Array.from(
    { length: sized(100_000) },
    (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c><c r="XFD${at + 1}"><v>2</v></c></row>`,
  );
  const extracted = await read(xlsx(rows.join('')));
  expect(textOf(extracted).split('\n')).toHaveLength(sized(100_000) + 2);
});

test('100,000 rows with a cell in the 500th column end at the limit of the text', async () => {
  const rows = Array.from(
    { length: sized(100_000) },
    (_, at) => `<row r="${at + 1}"><c r="SF${at + 1}"><v>2</v></c></row>`,
  );
  expect(await read(xlsx(rows.join('')))).toMatchObject({ notes: ['Only the beginning of the text is kept.'] });
});

test('a row with a number of ten digits is one line', async () => {
  const extracted = await read(xlsx('<row r="9999999999"><c><v>1</v></c></row>'));
  expect(textOf(extracted)).toBe('## Sheet One\n(rows 1 to 9999999998 are empty)\n1\n');
});

test('1,000,000 references to one shared text of 1 MB end at the limit of the text', async () => {
  const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(400)}</row>`.repeat(2_500);
  const shared = `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`;
  const extracted = await read(xlsx(rows, { 'xl/sharedStrings.xml': shared }));
  expect(extracted).toMatchObject({ notes: ['Only the beginning of the text is kept.'] });
});

test('an archive of 60,000 entries is listed to the 10,000th, and is no office document', async () => {
  const bytes = zip([
    {
      name: '_rels/.rels',
      content: '<Relationships><Relationship Id="r" Type="/officeDocument" Target="a"/></Relationships>',
    },
    ...Array.from({ length: 60_000 }, (_, at) => ({ name: `${at}`, packed: Buffer.alloc(0) })),
  ]);
  const extracted = await read(bytes);
  expect(extracted).toMatchObject({ kind: 'zip', count: 60_001 });
  expect(extracted).toMatchObject({ notes: ['Only the first 10000 of 60001 entries are listed.'] });
  expect(textOf(extracted).split('\n')).toHaveLength(10_001);
});

test('names that climb, are absolute or hold control characters are only shown', async () => {
  const bytes = zip({ '../../etc/passwd': 'a', '/etc/shadow': 'bb', 'a\0b\u001b[2J\n.txt': 'c', 'C:\\x': 'd' });
  expect(textOf(await read(bytes))).toBe(
    '../../etc/passwd (1 byte)\n/etc/shadow (2 bytes)\na?b?[2J?.txt (1 byte)\nC:\\x (1 byte)\n',
  );
  expect(textOf(await read(zip({ '../../etc/passwd': 'inside' }), '../../etc/passwd'))).toBe('inside\n');
});

test.each<[string, Buffer, string]>([
  [
    'an entry that unpacks to 300 MB',
    zip([{ name: 'a', packed: deflateRawSync(Buffer.alloc(300_000_000)) }]),
    'it unpacks to more than 64 MB',
  ],
  ['an encrypted entry', zip([{ name: 'a', content: 'x', flags: 1 }]), 'the archive is encrypted'],
  ['an entry that is damaged', zip([{ name: 'a', packed: Buffer.from('not deflated') }]), 'the archive is damaged'],
  ['an entry that is not there', zip({ abc: 'x' }), 'the archive has no entry of that name'],
])('%s is refused', async (_, bytes, reason) => {
  expect(reasonOf(await read(bytes, 'a'))).toContain(reason);
});

test('gzip data that unpacks to a gigabyte is unpacked to its limit', async () => {
  const bomb = gzipSync(Buffer.alloc(sized(1_000_000_000), 'lorem ipsum '));
  expect(await read(bomb)).toMatchObject({ end: 'done', text: 'content (more than 67.11 MB)\n' });
  expect(textOf(await read(bomb, 'content')).length).toBe(longest);
});

test('a tar archive whose sizes lie ends its list', async () => {
  const extracted = await read(tar([{ name: 'a', content: 'x' }, { name: 'b', size: 8 ** 11 - 1 }, { name: 'c' }]));
  expect(extracted).toMatchObject({ kind: 'tar', text: 'a (1 byte)\nb (8.59 GB)\n' });
  expect(extracted).toMatchObject({
    notes: ['Only the beginning of the archive was read: there may be more entries.'],
  });
});

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const form = (content: string, resources: string): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`,
  stream: Buffer.from(content),
});
const depth = large ? 9 : 5;
const calls = (name: string): string => `/${name} Do `.repeat(10);

test.each<[string, Buffer]>([
  [
    'pages that contain each other',
    pdf([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 9 >>', '<< /Type /Pages /Kids [2 0 R] /Count 9 >>']),
  ],
  ['pages that contain themselves', pdf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'])],
  ['a billion pages by its own word', pdf([catalog, '<< /Type /Pages /Kids [] /Count 1000000000 >>'])],
  ['a table that leads to itself', pdf([catalog, '<< /Type /Pages /Kids [] /Count 0 >>'], '/Prev 20')],
  [
    'a form that draws itself',
    page(plain('/X Do'), [form('/X Do', '/XObject << /X 6 0 R >>')], '/XObject << /X 6 0 R >>'),
  ],
  [
    'forms that draw each other ten times, many deep',
    page(
      plain(calls('X')),
      Array.from({ length: depth }, (_, at) =>
        at === depth - 1
          ? form('BT /F1 9 Tf (lol) Tj ET', '/Font << /F1 5 0 R >>')
          : form(calls('X'), `/XObject << /X ${at + 7} 0 R >>`),
      ),
      '/XObject << /X 6 0 R >>',
    ),
  ],
  ['500,000 open brackets', page(plain('['.repeat(500_000)))],
  ['500,000 open dictionaries', pdf(['<<'.repeat(500_000)])],
  ['nothing but garbage', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500_000, '\x93 0 obj <<', 'latin1')])],
  ['its beginning alone', Buffer.from('%PDF-1.7\n')],
])('a PDF with %s ends', async (_, bytes) => {
  const extracted = await read(bytes);
  expect(textOf(extracted).length).toBeLessThan(1_000_000);
});

test('a PDF whose content unpacks to 500 MB ends', async () => {
  const extracted = await read(page(flate(Buffer.alloc(sized(500_000_000), 'BT (word) Tj ET '))));
  if (large) expect(reasonOf(extracted)).toContain('of memory');
});

test('a PDF whose content is packed twice and unpacks to 2 GB ends by the memory watch', async () => {
  const inner = deflateSync(Buffer.alloc(1_000_000_000));
  const twice = Buffer.concat([inner, inner]);
  const extracted = await read(page({ dictionary: '/Filter [/FlateDecode /FlateDecode]', stream: deflateSync(twice) }));
  expect(reasonOf(extracted)).toBe('reading it needs more than 402.66 MB of memory');
});
