import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clip,
  clipStart,
  clipXml,
  clipXmlStart,
  escapeMarkdown,
  fitsBytes,
  escapeXml,
  lastLines,
  oneLine,
  plainEnglish,
  formatCount,
  formatList,
  utf8Length,
} from '../../../domain/text/text.ts';
import { growth, linear, traps } from '../attempt/support-linear.ts';

/* Cutting, escaping and simplifying text that somebody else wrote. */

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 300 }));
const brokenPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const entities = /&(?!(?:amp|lt|gt|quot);)/;

describe('clip and clipStart', () => {
  test('keep short texts and show where they cut', () => {
    expect(clip('abc', 3)).toBe('abc');
    expect(clip('abcd', 3)).toBe('ab…');
    expect(clipStart('abcd', 3)).toBe('…cd');
    expect(clip('abcd', 0)).toBe('');
    expect(clipStart('abcd', -5)).toBe('');
  });

  test('never cut inside a character', () => {
    expect(clip('a😀bc', 3)).toBe('a…');
    expect(clipStart('ab😀', 2)).toBe('…');
  });

  test('never return more than requested', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        for (const cut of [clip(text, most), clipStart(text, most)]) {
          expect(cut.length).toBeLessThanOrEqual(most);
          expect(cut).not.toMatch(brokenPair);
        }
      }),
    );
  });
});

describe('XML', () => {
  test('is escaped in text and attributes, and loses characters that XML forbids', () => {
    expect(escapeXml('</retry_context> & "q" \u0000\u001b\t')).toBe('&lt;/retry_context&gt; &amp; &quot;q&quot; \t');
  });

  test('is cut after it was escaped, never inside an entity', () => {
    expect(clipXml('a<b', 4)).toBe('a…');
    expect(clipXml('<<<<', 9)).toBe('&lt;&lt;…');
    expect(clipXmlStart('b<a', 4)).toBe('…a');
    expect(clipXmlStart('<<<<', 9)).toBe('…&lt;&lt;');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '<', '&', '"', '>', ';', '😀') }),
        fc.nat(60),
        (text, most) => {
          for (const cut of [clipXml(text, most), clipXmlStart(text, most)]) {
            expect(cut.length).toBeLessThanOrEqual(most);
            expect(cut).not.toMatch(entities);
            expect(cut).not.toMatch(/[<>"]/);
            expect(cut.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/^…(?:amp|lt|gt|quot);/);
          }
        },
      ),
    );
  });
});

describe('Markdown', () => {
  test('from outside stays text', () => {
    const hostile = escapeMarkdown('<img src=x onerror=alert(1)>\n# head\n| a | [l](http://x) *b* _c_ `d` ~~e~~ &lt;');
    expect(hostile).not.toMatch(/[<>\n]/);
    expect(hostile).not.toMatch(/(?<!\\)[`*_[\]|#~]/);
    expect(hostile).toContain('&amp;lt;');
  });
});

describe('oneLine', () => {
  test('has no line breaks, no control characters and no terminal sequences', () => {
    expect(oneLine('\u001b[1;31mred\u001b[0m\r\n  two\u0007\u009b31m\u001b]0;title\u0007 end ')).toBe(
      'red two 31m end',
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

describe('lastLines', () => {
  test('skips empty lines and takes each state of a progress bar for a line', () => {
    expect(lastLines('a\n\n  \nb\r\nc\n', 2)).toBe('b\nc');
    expect(lastLines('10%\r20%\rERROR: it broke', 1)).toBe('ERROR: it broke');
  });
});

describe('plainEnglish', () => {
  const rows: [input: string, output: string][] = [
    ['cannot open /home/ana/work/x.ts: no such file', 'cannot open x.ts: no such file'],
    ['see src/index.ts and/or docs/a.md', 'see src/index.ts and/or docs/a.md'],
    ['GET https://example.com/a/b?c=1 failed', 'GET https://example.com/a/b?c=1 failed'],
    ['file:///home/ana/x.ts:3', 'x.ts:3'],
    ['C:\\Users\\Ana\\x.txt is locked', 'x.txt is locked'],
    ["ENOENT: open '/home/jürgen/über/x.md'", "ENOENT: open 'x.md'"],
    ['not found on the PATH (/usr/bin:/bin)', 'not found on the PATH (bin:bin)'],
    ['Error: x\n    at foo (/a/b.js:1:2)\n    at /a/c.js:3:4\nend', 'Error: x end'],
    ['Error: x at foo (/a/b.js:1:2) at async bar (node:internal/x:1:2) end', 'Error: x end'],
    ['Exception: x\n\tat com.acme.Main.run(Main.java:12)', 'Exception: x'],
    ['Traceback (most recent call last):\n  File "/a/b.py", line 3, in f\nKeyError: 1', 'KeyError: 1'],
    ['at least 3 tests failed:', 'at least 3 tests failed:'],
    ['\u001b[31mred\u001b[0m and `code`', 'red and code'],
  ];
  test.each(rows)('%j becomes %j', (input, output) => {
    expect(plainEnglish(input)).toBe(output);
  });

  test('never has a backtick, a line break or a path from the root', () => {
    const pieces = fc.constantFrom('/', '\\', 'a', ' ', '`', '\n', '.', 'é', 'C:', '(', ':1:2', ' at ', '"');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const output = plainEnglish(parts.join(''));
        expect(output).not.toMatch(/[`\n]/);
        expect(output).not.toMatch(/(?:^|[\s("])\/[a-zé]+\/[a-zé]/u);
      }),
    );
  });
});

describe('lists and counts', () => {
  test('are formatted as people write them', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => formatList(items))).toEqual([
      'nothing',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(formatList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect([formatCount(1, 'subtask'), formatCount(2, 'subtask')]).toEqual(['1 subtask', '2 subtasks']);
  });
});

describe('utf8Length', () => {
  test('is the length that an encoder produces', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      }),
    );
  });
});

describe('fitsBytes', () => {
  test('agrees with an encoder, to the byte', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(anyText, fc.integer({ min: -4, max: 4 }), (text, more) => {
        const bytes = encoder.encode(text).length;
        expect(fitsBytes(text, bytes + more)).toBe(more >= 0);
      }),
    );
  });
});

describe('a quarter of a megabyte of hostile text', () => {
  test.each(traps)('takes time in proportion to its length (%s)', (_, inputOf) => {
    const work = (input: string): void => {
      plainEnglish(input);
      oneLine(input);
      lastLines(input, 12);
      escapeMarkdown(input);
      clipXml(input, 500);
      clipXmlStart(input, 500);
    };
    expect(growth(work, inputOf, 256 * 1024)).toBeLessThan(linear);
  });
});
