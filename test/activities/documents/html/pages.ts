/* Pages in the shapes of real ones, made of words that nobody else uses: so it is known which of them are content. */

/** A page, and the words of its content in their order. */
export interface SamplePage {
  name: string;
  html: string;
  content: string;
}

/** Words of a seed: the same ones each time. Those of pages' frames begin with `x`, those of content never do. */
function wordsOf(seed: number): { word: () => string; text: (count: number) => string } {
  let state = seed * 2_654_435_761 + 12_345;
  const next = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
  const syllables = ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'zu'];
  const word = (): string => Array.from({ length: 2 + next(3) }, () => syllables[next(syllables.length)]).join('');
  const text = (count: number): string =>
    `${Array.from({ length: count }, (_, at) => (at % 11 === 10 ? `${word()},` : word())).join(' ')}.`;
  return { word, text };
}

interface Content {
  title: string;
  paragraphs: string[];
  items: string[];
  rows: string[][];
  code: string;
}

function contentOf(seed: number, scale: number): Content {
  const { word, text } = wordsOf(seed);
  return {
    title: `${word()} ${word()} ${word()}`,
    paragraphs: Array.from({ length: 12 * scale }, () => text(40)),
    items: Array.from({ length: 8 * scale }, () => text(9)),
    rows: Array.from({ length: 10 * scale }, () => Array.from({ length: 4 }, word)),
    code: Array.from({ length: 6 }, () => `${word()}(${word()});`).join('\n'),
  };
}

const wordsIn = ({ title, paragraphs, items, rows, code }: Content): string =>
  [title, ...paragraphs, ...items, ...rows.flat(), code].join(' ');

const frame = wordsOf(99);
const other = (count: number): string => Array.from({ length: count }, () => `x${frame.word()}`).join(' ');
const menu = (count: number): string =>
  `<ul>${Array.from({ length: count }, () => `<li><a href="/${frame.word()}">${other(2)}</a></li>`).join('')}</ul>`;

const paragraphsOf = ({ paragraphs }: Content): string => paragraphs.map((text) => `<p>${text}</p>`).join('\n');
const listOf = ({ items }: Content): string => `<ul>${items.map((text) => `<li>${text}</li>`).join('')}</ul>`;
const tableOf = ({ rows }: Content): string =>
  `<table><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
const codeOf = ({ code }: Content): string =>
  `<pre><code>${code.replaceAll(/(\w+)\(/g, '<span class="fn">$1</span>(')}</code></pre>`;
const bodyOf = (content: Content): string =>
  [paragraphsOf(content), listOf(content), tableOf(content), codeOf(content)].join('\n');

const head = (title: string): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${title}</title><style>.${other(1)} { color: red }</style><script>var ${other(1)} = "<p>${other(3)}</p>";</script></head>`;
const foot = `<footer><p>${other(12)}</p>${menu(6)}</footer>`;

type Shape = (content: Content) => string;

const shapes: Record<string, Shape> = {
  news: (content) =>
    `${head(content.title)}<body><header><nav>${menu(8)}</nav></header><main><article><h1>${content.title}</h1>${bodyOf(content)}</article><aside><h2>${other(2)}</h2>${menu(6)}</aside></main><div hidden>${other(20)}</div>${foot}</body></html>`,
  docs: (content) =>
    `${head(content.title)}<body><div role="navigation">${menu(30)}</div><div role="main"><h1>${content.title}</h1><section>${bodyOf(content)}</section><nav>${menu(2)}</nav></div>${foot}</body></html>`,
  wiki: (content) =>
    `${head(content.title)}<body><div id="content"><h1>${content.title}</h1>${tableOf(content)}${content.paragraphs.map((text, at) => `<p>${text.replace(' ', ` <a href="/wiki/${at}">`).replace(/ (\S+ )/, '</a> $1')}<sup><a href="#note-${at}"></a></sup></p>`).join('')}${listOf(content)}${codeOf(content)}</div><nav>${menu(20)}</nav>${foot}</body></html>`,
  forum: (content) =>
    `${head(content.title)}<body><nav>${menu(5)}</nav><h1>${content.title}</h1>${content.paragraphs.map((text) => `<article><p>${text}</p></article>`).join('')}<article>${listOf(content)}${tableOf(content)}${codeOf(content)}</article><form><textarea>${other(5)}</textarea><button>${other(1)}</button></form></body></html>`,
  plain: (content) => `<title>${content.title}</title><h1>${content.title}</h1>${bodyOf(content)}`,
  layout: (content) =>
    `${head(content.title)}<body><table width="100%"><tr><td width="200">${menu(10)}</td><td><h1>${content.title}</h1>${content.paragraphs.map((text) => `${text}<br><br>`).join('')}${listOf(content)}${tableOf(content)}${codeOf(content)}</td></tr></table></body></html>`,
  form: (content) =>
    `${head(content.title)}<body><form id="aspnetForm"><input type="hidden" value="${other(4)}"><div><h1>${content.title}</h1>${bodyOf(content)}</div><select><option>${other(2)}</option></select></form></body></html>`,
  divs: (content) =>
    `${head(content.title)}<body><div class="top"><div>${menu(9)}</div></div><div><div><div><h1>${content.title}</h1>${content.paragraphs.map((text) => `<div>${text}</div>`).join('')}<div>${listOf(content)}</div><div>${tableOf(content)}</div>${codeOf(content)}</div></div></div>${foot}</body></html>`,
  hidden: (content) =>
    `${head(content.title)}<body><div style="display: none">${other(30)}</div><p aria-hidden="true">${other(5)}</p><dialog><p>${other(12)}</p></dialog><noscript>${other(9)}</noscript><svg><title>${other(2)}</title><text>${other(3)}</text></svg><main><h1>${content.title}</h1>${bodyOf(content)}</main><template>${other(9)}</template></body></html>`,
  details: (content) =>
    `${head(content.title)}<body><main><h1>${content.title}</h1>${content.paragraphs.map((text) => `<details><summary>${text.split(' ').slice(0, 4).join(' ')}</summary><div>${text.split(' ').slice(4).join(' ')}</div></details>`).join('')}<dl>${content.items.map((text) => `<dt>${text.split(' ')[0] ?? ''}</dt><dd>${text.split(' ').slice(1).join(' ')}</dd>`).join('')}</dl>${tableOf(content)}${codeOf(content)}</main>${foot}</body></html>`,
  question: (content) =>
    `${head(content.title)}<body><header>${menu(4)}</header><div id="question"><h1><a href="/q/1">${content.title}</a></h1>${paragraphsOf(content)}</div><div id="answers"><div class="answer">${listOf(content)}${codeOf(content)}</div><div class="answer">${tableOf(content)}</div></div><aside>${menu(12)}</aside>${foot}</body></html>`,
  nested: (content) =>
    `${head(content.title)}<body><main><h1>${content.title}</h1><ol>${content.paragraphs.map((text) => `<li><p>${text}</p></li>`).join('')}</ol><ul>${content.items.map((text) => `<li><span>${text}</span><ul><li><b></b></li></ul></li>`).join('')}</ul><blockquote>${tableOf(content)}<blockquote>${codeOf(content)}</blockquote></blockquote></main></body></html>`,
  marked: (content) =>
    `${head(content.title)}<body><main><h1>${content.title}</h1>${content.paragraphs.map((text) => `<p>${text.replace(/(\w+) (\w+)/, '<b>$1</b> <i>$2</i>').replace(/ (\w+)\.$/, ' <code>$1</code>.')}</p>`).join('')}${listOf(content)}<figure><img src="/a.png" alt=""><figcaption></figcaption></figure>${tableOf(content)}${codeOf(content)}</main></body></html>`,
  links: (content) =>
    `${head(content.title)}<body><nav>${menu(6)}</nav><h1>${content.title}</h1>${paragraphsOf(content)}<ul>${content.items.map((text, at) => `<li><a href="/item/${at}">${text}</a></li>`).join('')}</ul>${tableOf(content)}${codeOf(content)}${foot}</body></html>`,
  empty: (content) =>
    `${head(content.title)}<body><aside><h1>${content.title}</h1>${bodyOf(content)}</aside></body></html>`,
};

/** As people wrote pages by hand: capitals, no quotes, ends that nobody wrote. */
const sloppy = (html: string): string =>
  html
    .replaceAll(/<\/(?:p|li|td|tr|dt|dd)>/g, '')
    .replaceAll(
      /<(\/?)(p|div|table|td|tr|ul|li|h1)(?=[ >])/g,
      (_, end: string, tag: string) => `<${end}${tag.toUpperCase()}`,
    )
    .replaceAll(/ (href|class|id|src)="([^" ]+)"/g, ' $1=$2')
    .replaceAll(/ ([a-z]{4}) /g, ' $1\n   ')
    .replaceAll(', ', ',&nbsp;');

/** 30 pages; `scale` makes them longer. */
export function samplePages(scale = 1): SamplePage[] {
  return Object.entries(shapes).flatMap(([name, shape], at) => {
    const content = contentOf(at + 1, scale);
    const html = shape(content);
    const words = wordsIn(content);
    return [
      { name, html, content: words },
      { name: `${name}, sloppy`, html: sloppy(html), content: words },
    ];
  });
}

const count = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** The share of the content's words that a text has, and the share of its words that are content. Addresses are no words. */
export function compareWords(text: string, content: string): { recall: number; precision: number } {
  const [shown, expected] = [count(text.replaceAll(/\]\([^)]*\)/g, ']')), count(content)];
  let [both, all, given] = [0, 0, 0];
  for (const times of shown.values()) given += times;
  for (const [word, times] of expected) {
    all += times;
    both += Math.min(times, shown.get(word) ?? 0);
  }
  return { recall: both / all, precision: given === 0 ? 0 : both / given };
}
