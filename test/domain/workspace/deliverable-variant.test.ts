import { expect, test } from 'vitest';
import { deliverableBehind } from '../../../domain/workspace/deliverable-variant.ts';

test.each<[string, string, string | undefined]>([
  ['notes-v2.md', 'notes.md', 'notes.md'],
  ['notes_final.md', 'notes.md', 'notes.md'],
  ['notes-FINAL2.md', 'notes.md', 'notes.md'],
  ['notes_v2_final.md', 'notes.md', 'notes.md'],
  ['docs/notes-updated.md', './docs/notes.md', 'docs/notes.md'],
  ['Makefile-new', 'Makefile', 'Makefile'],
  ['out-draft.tar.gz', 'out.tar.gz', 'out.tar.gz'],
  ['my.report-rev3.md', 'my.report.md', 'my.report.md'],
  ['notes.md-copy', 'notes.md', 'notes.md'],
  ['notes.md', 'notes.md', undefined],
  ['notes-2.md', 'notes.md', undefined],
  ['notes-vision.md', 'notes.md', undefined],
  ['notes-v2.txt', 'notes.md', undefined],
  ['other/notes-v2.md', 'notes.md', undefined],
  ['footnotes-v2.md', 'notes.md', undefined],
  ['notes-.md', 'notes.md', undefined],
  ['.env-new', '.env', '.env'],
  ['report-final-2.md', 'report.md', 'report.md'],
  ['report-copy-2.md', 'report.md', 'report.md'],
  ['report (copy).md', 'report.md', 'report.md'],
  ['report (copy 2).md', 'report.md', 'report.md'],
  ['report (2).md', 'report.md', 'report.md'],
  ['report(1).md', 'report.md', 'report.md'],
  ['report copy.md', 'report.md', 'report.md'],
  ['report copy 2.md', 'report.md', 'report.md'],
  ['report_old.md', 'report.md', 'report.md'],
  ['report.old.md', 'report.md', 'report.md'],
  ['report.md.bak', 'report.md', 'report.md'],
  ['report.md~', 'report.md', 'report.md'],
  ['report-backup.md', 'report.md', 'report.md'],
  ['report_v2-final.md', 'report.md', 'report.md'],
  ['report-latest.md', 'report.md', 'report.md'],
  ['report-older.md', 'report.md', undefined],
  ['report-newsletter.md', 'report.md', undefined],
  ['report-2024.md', 'report.md', undefined],
  ['report-2.md', 'report.md', undefined],
  ['report (summary).md', 'report.md', undefined],
  ['report-copyright.md', 'report.md', undefined],
  ['reports.md', 'report.md', undefined],
])('%s beside the deliverable %s', (path, deliverable, expected) => {
  expect(deliverableBehind(path, [deliverable])).toBe(expected);
});

test("a deliverable's own name is not a variant of another", () => {
  expect(deliverableBehind('notes-v2.md', ['notes.md', 'notes-v2.md'])).toBeUndefined();
});
