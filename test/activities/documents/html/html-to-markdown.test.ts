import { describe, expect, test } from 'vitest';

import { htmlToMarkdown } from '../../../../activities/documents/html/html-to-markdown.ts';
import { hostilePages } from './hostile-pages.ts';
import { compareWords, samplePages } from './pages.ts';

const most = 2_000_000;
const read = (html: string, base = 'https://docs.example/a/'): string => htmlToMarkdown(html, { base, most }).markdown;

describe('a page', () => {
  test.each(samplePages())('keeps the words of its content: $name', ({ html, content }) => {
    const { recall, precision } = compareWords(read(html), content);
    expect(recall).toBeGreaterThanOrEqual(0.98);
    expect(precision).toBeGreaterThanOrEqual(0.85);
  });

  test.each([
    ['<title> A &amp;\n B </title><h1>C</h1>', '# C'],
    ['<h2>A <em>b</em></h2><p>c<br>d', '## A b\n\nc\nd'],
    ['<ul><li>a<li>b<ol><li>c<li>d</ol></ul>', '- a\n- b\n  1. c\n  2. d'],
    ['<table><tr><th>a<th>b|c<tr><td>1<td><p>2</p><p>3</p></table>', '| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |'],
    [
      '<p>see <a href="../b?c=1#d">the page</a>, <a href="#x">below</a></p>',
      'see [the page](https://docs.example/b?c=1#d), below',
    ],
    ['<base href="https://other.example/x/"><a href="y">z</a>', '[z](https://other.example/x/y)'],
    ['<a href="javascript:alert(1)">z</a> <a href="file:///etc/passwd">y</a>', 'z y'],
    ['<a href="/x"><h3>Title</h3></a>', '### [Title](https://docs.example/x)'],
    ['<pre>  a\n    b ``` <b>c</b>\n</pre><p>d  e</p>', '````\n  a\n    b ``` c\n````\n\nd e'],
    ['<p>run <code>npm ci</code> now', 'run `npm ci` now'],
    ['<blockquote><p>a<p>b</blockquote>c', '> a\n\n> b\n\nc'],
    ['<dl><dt>a<dd>b</dl>', 'a\n\n: b'],
    ['<img src="c.png" alt="A cat"><img src="d.png" alt="">', '![A cat](https://docs.example/a/c.png)'],
    ['<p>&lt;b&gt; &#x1F600; &eacute;&nbsp;x&shy;y</p>', '<b> 😀 é xy'],
    ['<p>a</p><script>b</script><style>c</style><!-- d --><noscript>e</noscript><svg><text>f</text></svg>', 'a'],
    ['<ul><li hidden>a<li>b</ul>', '- b'],
  ])('is Markdown: %s', (html, markdown) => {
    expect(read(html)).toBe(markdown);
  });

  test('has the first title, in one line', () => {
    const html = '<svg><title>x</title></svg><title> A &amp;\n B </title><title>C</title><p>d';
    expect(htmlToMarkdown(html, { most })).toEqual({ title: 'A & B', markdown: 'd' });
  });

  test('keeps a list of links where it is all that there is', () => {
    const items = Array.from({ length: 20 }, (_, at) => `<li><a href="/${at}">item ${at}</a></li>`).join('');
    expect(read(`<nav><a href="/">home</a></nav><ul>${items}</ul>`).match(/item \d+/g)?.length).toBe(20);
  });

  test('is cut where its text ends', () => {
    const { markdown } = htmlToMarkdown('<p>word</p>'.repeat(1_000), { most: 100 });
    expect(markdown.length).toBeLessThan(250);
  });
});

describe('the reader of pages', () => {
  test('reads 25 MB in a few seconds', () => {
    const pages = samplePages(20);
    const bytes = pages.reduce((sum, { html }) => sum + html.length, 0);
    const started = process.threadCpuUsage();
    for (const { html } of pages) read(html);
    const { user, system } = process.threadCpuUsage(started);
    // Time of this thread alone: 1.6 s on a machine with nothing else to do.
    expect(((user + system) / 1e6 / bytes) * 25e6).toBeLessThan(5);
  });

  test.each(hostilePages())('is not held by %s', (_, html) => {
    const started = process.threadCpuUsage();
    expect(read(html).length).toBeLessThan(3 * most);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
