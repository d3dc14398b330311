/** Reads the sentences of a documentation page, and the table that names the test of each. */

const fences = /^```[\s\S]*?^```$/gm;
const markOfTable = /^\|[\s|:-]+\|$/;

/** Beginning of a new block of text: a list item, a table row, a heading. */
const beginsBlock = /^(\s*[-*] |\||#)/;

/** The blocks of a page: paragraphs, list items, table rows without the heads of their tables. */
const blocksOf = (markdown: string): string[] => {
  const lines = markdown.replace(fences, '').split('\n');
  const blocks: string[] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    const isHead = markOfTable.test(line) || markOfTable.test(lines[index + 1] ?? '');
    if (line.trim() === '' || line.startsWith('#') || isHead) {
      open = false;
    } else if (open && !beginsBlock.test(line)) {
      blocks.push(`${blocks.pop() ?? ''} ${line.trim()}`);
    } else {
      blocks.push(line.trim());
      open = true;
    }
  }
  return blocks;
};

/** A sentence ends at a mark that white space and a capital letter, a name in backquotes or a link follow. */
const betweenSentences = /(?<=[.!?][)"]?)\s+(?=[A-Z`[])/;

const plainRow = (block: string): string =>
  block.startsWith('|')
    ? block
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
        .join(' / ')
    : block.replace(/^[-*] /, '');

/** All sentences of a page, in their order; a row of a table is one. */
export const sentencesOf = (markdown: string): string[] =>
  blocksOf(markdown)
    .flatMap((block) => (block.startsWith('|') ? [plainRow(block)] : plainRow(block).split(betweenSentences)))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim());

/** What stands before the title of a test: `test(`, `it.only(`; or `)(` after `test.each(…)`, `test.skipIf(…)`. */
const beginsTest = /(?:^|[\s;])(?:test|it|describe)((?:\.\w+)*)\($|\)\($/;

/** Whether a source has a test of this title, as it is written there, which is not skipped for good. */
export function hasTest(source: string, title: string): boolean {
  for (const quote of ["'", '"', '`']) {
    const literal = `${quote}${title}${quote}`;
    for (let at = source.indexOf(literal); at !== -1; at = source.indexOf(literal, at + 1)) {
      const [before, modifiers = ''] = beginsTest.exec(source.slice(0, at).trimEnd()) ?? [];
      if (before !== undefined && !/\.(?:skip|todo)$/.test(modifiers)) return true;
    }
  }
  return false;
}
