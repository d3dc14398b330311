// Ignore patterns, compared with git itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isIgnored, readIgnorePatterns } from '../../../domain/text/ignore-patterns.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-ignore-'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** By real git, for paths of which no parent is ignored. */
function gitSays(patterns: string, paths: readonly string[]): boolean[] {
  writeFileSync(join(folder, '.gitignore'), patterns);
  const input = `${paths.join('\0')}\0`;
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], { cwd: folder, input });
  const ignored = new Set(stdout.toString().split('\0'));
  return paths.map((path) => ignored.has(path));
}

const ours = (text: string, path: string): boolean => {
  const patterns = readIgnorePatterns(text);
  const parts = path.replace(/\/$/, '').split('/');
  return parts.some((_, at) => {
    const isFolder = at < parts.length - 1 || path.endsWith('/');
    return isIgnored(patterns, parts.slice(0, at + 1).join('/'), isFolder) === true;
  });
};

test.each([
  ['*.log', ['a.log', 'x/a.log', 'a.logs', 'x.log/y']],
  ['build/', ['build', 'build/', 'x/build/', 'x/build', 'build/a']],
  ['/a', ['a', 'x/a']],
  ['x/a', ['x/a', 'y/x/a']],
  ['**/a', ['a', 'x/a', 'x/y/a']],
  ['x/**', ['x', 'x/a', 'x/y/a']],
  ['x/**/a', ['x/a', 'x/y/a', 'x/y/z/a']],
  ['*.log\n!keep.log', ['a.log', 'keep.log', 'x/keep.log']],
  ['# no\n\\#yes\n\\!also', ['# no', '#yes', '!also']],
  ['a \nb\\ ', ['a', 'a ', 'b', 'b ']],
  ['[ab].txt\n[!c]?.md', ['a.txt', 'c.txt', 'aa.md', 'ca.md']],
  ['{a,b}', ['a', 'b', '{a,b}']],
  ['a\r\n', ['a']],
])('git agrees about %j', (patterns, paths) => {
  expect(paths.map((path) => ours(patterns, path))).toEqual(gitSays(patterns, paths));
});

test('git agrees about random patterns and paths', () => {
  const name = fc.array(fc.constantFrom('a', 'b', '.', '-'), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
  const path = fc
    .array(
      name.filter((part) => !/^\.+$/.test(part) && part !== '.git'),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join('/'));
  const piece = fc.constantFrom('a', 'b', '*', '**', '?', '/', '/**/', '[ab]', '[!a]', '-');
  const line = fc
    .tuple(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 4 }))
    .map(([back, pieces]) => `${back ? '!' : ''}${pieces.join('')}`)
    // Nobody writes these, and git has no rule for them.
    .filter((drawn) => !/\/\/|\*\*\*|[^/]\*\*|\*\*[^/]/.test(drawn));
  const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, fc.uniqueArray(path, { minLength: 5, maxLength: 20 }), (patterns, paths) => {
      expect(paths.map((each) => ours(patterns, each))).toEqual(gitSays(patterns, paths));
    }),
    { numRuns: 100 },
  );
});
