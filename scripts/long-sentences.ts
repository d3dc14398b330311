/** Most words of one sentence. */
const mostWords = 25;

const fences = /^ *```[\s\S]*?^ *```$/gm;

/** A heading, a list item, a table row or a quotation begins a block of its own. */
const beginsBlock = /^\s*(?:[-*>] |\d+\. |\||#|<|---)/;

/** A sentence ends at a mark that white space and a capital letter, a name in backquotes, a link or a bracket follow. */
const betweenSentences = /(?<=[.!?:][)"*]*)\s+(?=[A-Z`[("*])/;

/** Paragraphs and list items; tables, code and headings have no sentences. */
function readBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of markdown.replace(fences, '').split('\n')) {
    const begins = beginsBlock.test(line);
    if (line.trim() === '' || /^\s*(?:\||#|<|---)/.test(line)) isOpen = false;
    else if (isOpen && !begins) blocks.push(`${blocks.pop() ?? ''} ${line.trim()}`);
    else {
      blocks.push(line.trim().replace(/^(?:[-*>]|\d+\.) /, ''));
      isOpen = true;
    }
  }
  return blocks;
}

/** A piece of code, a link's address and a list in brackets count as one word. */
const countWords = (sentence: string): number =>
  sentence
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`]*`/g, 'code')
    .replace(/(?:code(?:,| and| or)? ){2,}/g, 'code ')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;

/** The sentences of a page that have too many words. */
export const findLongSentences = (markdown: string): { words: number; sentence: string }[] =>
  readBlocks(markdown)
    .flatMap((block) => block.split(betweenSentences))
    .map((sentence) => ({ words: countWords(sentence), sentence }))
    .filter(({ words }) => words > mostWords);
