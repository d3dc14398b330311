/** A paragraph, a heading, an item of a list or a row of a table, as Markdown. */
export interface Block {
  text: string;
  /** Stands directly below the block before it, as items of a list do. */
  tight: boolean;
  /** Characters of its text, and how many of them lead elsewhere. */
  length: number;
  linked: number;
  /** Its place in the page: beside the content, in the main part, in an article. */
  aside: boolean;
  main: boolean;
  article: boolean;
}

/** The least share of a page's text that its main part, or its articles, must have to stand for the page. */
const leastMain = 0.25;
const leastArticle = 0.5;

/** The least share of the text that must be left when parts beside it are not shown. */
const leastLeft = 0.3;

/** A run of so many blocks that are short and nothing but links is a menu. */
const menuRun = 4;
const menuText = 60;
const menuLinks = 0.9;

/** Chooses the blocks that are the content of a page. What is beside it is shown only where there is hardly anything else. */
export function selectContent(blocks: readonly Block[]): readonly Block[] {
  const all = sumLength(blocks);
  const inside = blocks.filter(({ aside }) => !aside);
  const content = sumLength(inside) >= all * leastLeft ? inside : blocks;
  const part = [
    { blocks: content.filter(({ main }) => main), least: leastMain },
    { blocks: content.filter(({ article }) => article), least: leastArticle },
  ].find((each) => each.blocks.length > 0 && sumLength(each.blocks) >= sumLength(content) * each.least);
  const chosen = part?.blocks ?? withoutMenus(content);
  return sumLength(chosen) >= sumLength(content) * (part?.least ?? leastLeft) ? chosen : content;
}

const sumLength = (blocks: readonly Block[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

/** Runs of links are left out, unless the page is such a list. */
function withoutMenus(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  let run: Block[] = [];
  const endRun = (): void => {
    if (run.length < menuRun) kept.push(...run);
    run = [];
  };
  for (const block of blocks) {
    if (isLink(block)) {
      run.push(block);
      continue;
    }
    endRun();
    kept.push(block);
  }
  endRun();
  return kept;
}

const isLink = ({ length, linked }: Block): boolean => length > 0 && length < menuText && linked >= length * menuLinks;

/** The blocks as a text, with an empty line between those that are not directly below each other. */
export function joinBlocks(blocks: readonly Block[]): string {
  const pieces: string[] = [];
  for (const [at, { text, tight }] of blocks.entries()) {
    if (at > 0) pieces.push(tight && blocks[at - 1]?.tight === true ? '\n' : '\n\n');
    pieces.push(text);
  }
  return pieces.join('');
}
