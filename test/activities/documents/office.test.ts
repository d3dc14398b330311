// Texts of documents that python-docx, python-pptx, openpyxl and fpdf2 wrote (test/corpora/documents/make.py).
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extract } from '../../../activities/documents/extract.ts';
import { docx, office, xlsx } from './make-files.ts';

const corpus = join(import.meta.dirname, '..', '..', 'corpora', 'documents');
const textOf = async (source: string | Buffer, part?: string): Promise<string[]> => {
  const extracted = await extract({ source: typeof source === 'string' ? join(corpus, source) : source, part });
  return extracted.end === 'done' ? extracted.text.split('\n').slice(0, -1) : [extracted.reason];
};

test('a Word document gives headings, lists, tables, comments and inserted text, and no deleted text', async () => {
  expect(await textOf('manual.docx')).toEqual([
    '# Loom manual',
    '# Warp & weft',
    'The warp is tight[comment 0], the weft is loose: 5 < 7.',
    '- wool',
    '- linen',
    '- raw silk',
    '1. wind',
    '2. thread',
    '3. weave',
    '## Sizes',
    '| Name | Width | Price |',
    '| --- | --- | --- |',
    '| Small | 40 cm | 120 \\| 130 |',
    '| Größe L | 90 cm | 300 |',
    'Kept and inserted',
    'first line',
    'second\tline',
    '[comment 0] Ada: How tight?',
  ]);
});

test('slides come in the order of the deck, with their notes, and hidden ones say so', async () => {
  expect(await textOf('sales.pptx')).toEqual([
    '## Slide 1: Loom sales',
    'Third quarter',
    'Notes:',
    'Greet everybody.',
    'Then begin.',
    '## Slide 2: Figures',
    '| Month | Looms |',
    '| --- | --- |',
    '| July | 41 |',
    '## Slide 3: Regions',
    'North',
    '  Oslo & Umeå',
    '## Slide 4 (hidden): Backup',
  ]);
});

test.each(['orders.xlsx', 'orders-1904.xlsx'])(
  'sheets of %s are CSV with dates, times and durations as they are shown',
  async (file) => {
    expect(await textOf(file)).toEqual([
      '## Sheet Orders, 2026',
      'Day,At,Clock,Took,Item,Count,Paid',
      '2026-02-28,2026-02-28T13:45:10,07:05:00,26:03:00,"Loom, small",3,TRUE',
      '2000-02-29,1999-12-31T23:59:59,23:59:59,0:01:00,"The ""big"" one",0.25,FALSE',
      ',,,,"Größe',
      'L",-1.5e-07',
      ',,,,,=SUM(F2:F4)',
      '2026-07-01,46204,0.5,2026-07-01',
      '## Sheet Secret (hidden)',
      '',
      '',
      ',,far away',
      '## Sheet Empty',
    ]);
  },
);

test('the pages of a PDF come one by one, with their numbers', async () => {
  const lines = [1, 2, 3].flatMap((number) => [
    `## Page ${number}`,
    `Chapter ${number}`,
    `The weft of page ${number} is 5 < 7.`,
  ]);
  expect(await textOf('book.pdf')).toEqual(lines);
});

test.each<[string, string, string, string[]]>([
  ['a page', 'book.pdf', '2', ['## Page 2', 'Chapter 2', 'The weft of page 2 is 5 < 7.']],
  ['a slide', 'sales.pptx', '4', ['## Slide 4 (hidden): Backup']],
  ['a sheet by its name', 'orders.xlsx', 'Secret', ['## Sheet Secret (hidden)', '', '', ',,far away']],
  ['a sheet by its number', 'orders.xlsx', '3', ['## Sheet Empty']],
  ['a page that is not there', 'book.pdf', '4', ['there is no page 4: it has 3 pages']],
  ['a slide that is not there', 'sales.pptx', '0', ['there is no slide 0: it has 4 slides']],
  ['a sheet that is not there', 'orders.xlsx', 'X', ['there is no sheet X: it has Orders, 2026, Secret and Empty']],
  ['a part of what has none', 'manual.docx', '1', ['it has no parts']],
])('%s is read alone', async (_, file, part, expected) => {
  expect(await textOf(file, part)).toEqual(expected);
});

test('parts name the lines at which they begin', async () => {
  const extracted = await extract({ source: join(corpus, 'book.pdf') });
  expect(extracted).toMatchObject({
    ...{ end: 'done', kind: 'pdf', label: 'PDF document', unit: 'page', count: 3, notes: [] },
    parts: [
      { name: '1', line: 1 },
      { name: '2', line: 4 },
      { name: '3', line: 7 },
    ],
  });
});

test('notes, moved text, a drawing in two forms, equations and nested tables are each read once', async () => {
  const p = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const body = [
    '<w:p><w:r><w:t>Fact</w:t><w:footnoteReference w:id="2"/></w:r><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath></w:p>',
    `<w:moveFrom>${p('moved away')}</w:moveFrom>`,
    `<mc:AlternateContent><mc:Choice>${p('box')}</mc:Choice><mc:Fallback>${p('box')}</mc:Fallback></mc:AlternateContent>`,
    `<w:tbl><w:tr><w:tc>${p('a')}<w:tbl><w:tr><w:tc>${p('b')}</w:tc></w:tr></w:tbl></w:tc><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`,
    '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>By hand</w:t></w:r></w:p>',
    '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>',
  ].join('');
  const notes = `<w:footnotes><w:footnote w:id="0" w:type="separator">${p('---')}</w:footnote><w:footnote w:id="2">${p('Source.')}</w:footnote></w:footnotes>`;
  const bytes = office('docx', `<w:document><w:body>${body}</w:body></w:document>`, {
    files: { 'word/footnotes.xml': notes },
    relations: { 'footnotes.xml': 'footnotes' },
  });
  expect(await textOf(bytes)).toEqual([
    'Fact[^2]a+b',
    'box',
    '| a b | c |',
    '| --- | --- |',
    '## By hand',
    '[^2]: Source.',
  ]);
});

test('numbered lists have the numbers that a reader sees', async () => {
  const level = (depth: number, format: string, text: string): string =>
    `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="7">${level(0, 'upperRoman', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
  const item = (depth: number, text: string, list = 3): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const body = [item(0, 'a'), item(1, 'b'), item(1, 'c'), item(0, 'd'), item(1, 'e'), item(0, 'none', 0)].join('');
  const bytes = office('docx', `<w:document><w:body>${body}</w:body></w:document>`, {
    files: { 'word/numbering.xml': numbering },
    relations: { 'numbering.xml': 'numbering' },
  });
  expect(await textOf(bytes)).toEqual(['I. a', '  I.a) b', '  I.b) c', 'II. d', '  II.a) e', 'none']);
});

test('a cell without a place follows the one before it, and shared texts leave reading aids out', async () => {
  const rows = '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>in</t><t>line</t></is></c><c><f>A1</f></c></row>';
  const shared = '<sst><si><r><t>東</t></r><rPh><t>ヒガシ</t></rPh><r><t>京</t></r></si></sst>';
  expect(await textOf(xlsx(rows, { 'xl/sharedStrings.xml': shared }))).toEqual(['## Sheet One', '東京,inline,=A1']);
});

test('an empty document has no text', async () => {
  expect(await extract({ source: docx('') })).toMatchObject({ end: 'done', kind: 'docx', text: '' });
});
