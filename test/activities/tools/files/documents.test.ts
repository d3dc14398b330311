// read_file of documents and archives, in the workspace and in a folder that may be read.
import { copyFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { docx, page, pdf, plain, zip } from '../../documents/make-files.ts';
import { makeRig, type ToolRig } from './support.ts';

const corpus = join(import.meta.dirname, '..', '..', '..', 'corpora', 'documents');

let rig: ToolRig;
beforeEach(async () => {
  rig = await makeRig();
});

test('a document is read by lines, which say what they belong to', async () => {
  copyFileSync(join(corpus, 'book.pdf'), rig.at('book.pdf'));
  expect(await rig.call('read_file', { path: 'book.pdf', from: 4, lines: 2 })).toEqual({
    ok: true,
    text: 'lines 4-5 of 9 of the text (PDF document, 3 pages); read on with from: 6\n## Page 2\nChapter 2',
  });
});

test.each([
  ['manual.docx', '(Word document)', '# Warp & weft'],
  ['sales.pptx', '(PowerPoint presentation, 4 slides)', 'Greet everybody.'],
  ['orders.xlsx', '(Excel workbook, 3 sheets)', '2000-02-29,1999-12-31T23:59:59,23:59:59'],
])('%s is read as text', async (file, about, line) => {
  copyFileSync(join(corpus, file), rig.at(file));
  const { ok, text } = await rig.call('read_file', { path: file });
  expect(ok).toBe(true);
  expect(text).toContain(about);
  expect(text).toContain(line);
});

test('an archive is listed', async () => {
  rig.write({ 'a.zip': zip({ 'src/a.ts': 'let a;', '../b': '' }) });
  expect((await rig.call('read_file', { path: 'a.zip' })).text).toBe(
    'lines 1-2 of 2 of the text (ZIP archive, 2 entries)\nsrc/a.ts (6 bytes)\n../b (0 bytes)',
  );
});

test('a document in a read root is read, and one outside is not', async () => {
  const path = join(rig.outside, 'manual.docx');
  copyFileSync(join(corpus, 'manual.docx'), path);
  expect((await rig.call('read_file', { path }, { readRoots: [rig.outside] })).text).toContain('# Loom manual');
  expect((await rig.call('read_file', { path })).refused).toContain('is outside the workspace');
});

test('a document without text says so', async () => {
  rig.write({ 'a.docx': docx(''), 'a.pdf': page(plain('')) });
  expect((await rig.call('read_file', { path: 'a.docx' })).text).toBe('Word document: there is no text in it.');
  expect((await rig.call('read_file', { path: 'a.pdf' })).text).toContain('they may be scanned images');
});

test('a damaged document and one that is too large are errors that name the file', async () => {
  rig.write({ 'cut.docx': readFileSync(join(corpus, 'manual.docx')).subarray(0, 9_000), 'big.pdf': pdf([]) });
  truncateSync(rig.at('big.pdf'), 65 * 1024 * 1024);
  expect(await rig.call('read_file', { path: 'cut.docx' })).toEqual({
    ok: false,
    text: '`cut.docx` cannot be read: this is not a zip archive.',
  });
  expect(await rig.call('read_file', { path: 'big.pdf' })).toEqual({
    ok: false,
    text: '`big.pdf` has 68.16 MB; at most 67.11 MB of a document are read.',
  });
});

test('a file of 20 MB, more than of a text, is read whole', async () => {
  rig.write({ 'a.zip': zip([{ name: 'large', packed: Buffer.alloc(20_000_000, 1) }]) });
  expect((await rig.call('read_file', { path: 'a.zip' })).text).toContain('large (0 bytes)');
});

test('unknown data shows the words at its beginning', async () => {
  rig.write({ 'a.bin': Buffer.from('\x01\0version 12 of the loom\0\x02', 'latin1') });
  expect((await rig.call('read_file', { path: 'a.bin' })).text).toBe(
    'Not text: binary data, 26 bytes. It contains: version 12 of the loom',
  );
});
