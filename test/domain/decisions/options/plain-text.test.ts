import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlainText } from '../../../../domain/decisions/options/plain-text.ts';
import { limits } from '../../../../domain/limits/domain-limits.ts';

describe('what a model says to a person', () => {
  test.each([
    'The pump has no power; the check failed three times.',
    'The notes (all 12 of them) were written, but the check still finds 3/4 of the links broken.',
    'Nobody knows why and/or when src/notes.md vanished at 10:30:15. It costs $5 a try.',
    'The file(s) named README.md are empty: "nothing to read".',
    'Die Prüfung schlägt fehl – dreimal.',
  ])('%s', (text) => {
    expect(readPlainText(` ${text}\n`)).toBe(text);
  });

  test('without what it thought before', () => {
    expect(readPlainText('<think>is `rm` used?</think>The pump broke.')).toBe('The pump broke.');
  });

  test.each([
    ['nothing', ' \n'],
    ['no word', '…!'],
    ['two paragraphs', 'The pump broke.\n\nIt has no power.'],
    ['an order to a terminal', 'The \u001b[31mpump broke.'],
    ['a text that turns around', 'The \u202epump broke.'],
    ['a path', 'The file /etc/passwd is missing.'],
    ['a path in brackets', 'A file is missing (/srv/data).'],
    ['a quoted path', 'The file "/etc/passwd" is missing.'],
    ['a path after a colon', 'Missing:/etc/passwd'],
    ['a home', 'The file ~/notes.md is missing.'],
    ["somebody's home", 'The file ~ann/notes.md is missing.'],
    ['a drive', 'The file C:\\notes.md is missing.'],
    ['a drive in other slashes', 'The file c:/notes.md is missing.'],
    ['a share', 'The file \\\\server\\notes is missing.'],
    ['an address with credentials', 'It could not reach https://ann:secret@example.com.'],
    ['an address', 'Log in at http://example.com first.'],
    ['a file address', 'See file:notes.md.'],
    ['a fence', '```\nnpm test\n```'],
    ['code in words', 'The call `run` failed.'],
    ['braces', 'It ended with {"ok": false}.'],
    ['an assignment', 'It says x = 3.'],
    ['a call', 'It failed in main() twice.'],
    ['a method', 'It failed in fs.open(name) twice.'],
    ['a statement', 'return pump;'],
    ['an index', 'It failed at list[0] twice.'],
    ['a variable', 'It needs $HOME to be set.'],
    ['a pipe', 'It ran cat x | grep y and failed.'],
    ['a link', 'It failed, see [this](that).'],
    ['a frame', 'It failed at run (main.js:1:2) twice.'],
    ['a place in a file', 'It failed at main.js:1:2 twice.'],
    ['a frame of Python', 'It failed on line 3, in run.'],
    ['a class of errors', 'A TypeError was seen.'],
    ['an error', 'Error: no power'],
    ['a tag', 'It <b>failed</b>.'],
    ['a list', '- it failed'],
    ['a heading', '# It failed'],
    ['more than a person reads', 'It failed. '.repeat(limits.problem)],
  ])('not with %s', (_, text) => {
    expect(readPlainText(text)).toBeNull();
  });

  test('is one short line without a path from the root, whatever was said', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        fc.constantFrom('', ' /a', '\n', '`'),
        (text, more) => {
          const read = readPlainText(`${text}${more}`);
          if (read === null) return;
          expect(read.length).toBeLessThanOrEqual(limits.problem);
          expect(read).not.toMatch(/[\n`\\]|(?:^|\s)\/\w/);
        },
      ),
    );
  });
});
