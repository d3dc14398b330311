// Every file and folder of the project that a page names exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const pages = ['*.md', 'llms.txt', '.github/**/*.md', 'docs/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
const tops = 'domain|workflows|activities|workers|client|test|scripts|bench|docs|examples|deploy|bin';

/** Paths in backquotes that begin with a folder of the project; a pattern or a placeholder is none. */
const findPaths = (text: string): string[] =>
  [...text.matchAll(new RegExp(`\`((?:${tops})/[\\w./-]*)\``, 'g'))].map(([, path = '']) => path);

/** Files that the page links to, without their headings. */
const findLinks = (text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));

// A page that shows a workspace of its reader names files of that workspace.
const notOurs = new Set([
  'docs/agent.md',
  'docs/configuration.md',
  'docs/plan-file.md',
  'docs/sandbox.md',
  'docs/workspace.md',
]);

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test.skipIf(notOurs.has(page))('names files that exist', () => {
    expect(findPaths(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('links to files and headings that exist', () => {
    expect(findLinks(text).filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
    const anchors = [...text.matchAll(/\]\(([^)#\s:]*)#([^)]*)\)/g)].filter(([, path = '', anchor = '']) => {
      const target = path === '' ? text : readFileSync(join(root, dirname(page), path), 'utf8');
      return !anchorsIn(target).includes(anchor);
    });
    expect(anchors.map(([link]) => link)).toEqual([]);
  });
});

test('the check is red where a path or a heading is missing', () => {
  expect(findPaths('`domain/none.ts`, `domain/x/`, `npm test`, `https://a/domain/x.ts`')).toEqual([
    'domain/none.ts',
    'domain/x/',
  ]);
  expect(anchorsIn('# A cloned folder is not trusted\n\n## `[limits]`, and more\n')).toEqual([
    'a-cloned-folder-is-not-trusted',
    'limits-and-more',
  ]);
});

test('llms.txt names every page', () => {
  const index = readFileSync(join(root, 'llms.txt'), 'utf8');
  const missing = globSync('docs/**/*.md', { cwd: root }).filter((page) => !index.includes(`](${page})`));
  expect(missing).toEqual([]);
});
