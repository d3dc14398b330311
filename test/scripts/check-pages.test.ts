// `npm run pages` in a folder of its own: what it refuses, and what it lets through.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findLongSentences } from '../../scripts/long-sentences.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'check-pages.ts');
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

function check(files: Readonly<Record<string, string>>): { code: number | null; problems: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, env, encoding: 'utf8' });
  return { code: status, problems: stderr.split('\n').filter((line) => line !== '') };
}

test('a page that wraps at 120 with short sentences passes', () => {
  const table = `| ${words(60)} |\n| --- |\n`;
  const link = `- [${'x'.repeat(130)}](y)\n`;
  expect(check({ 'README.md': `# Title\n\nOne. Two.\n\n${table}\n${link}` })).toEqual({ code: 0, problems: [] });
});

test('a line above 120 columns is refused, in code too', () => {
  const { code, problems } = check({ 'docs/deep/page.md': `# Title\n\n\`\`\`sh\n${words(25)}\n\`\`\`\n` });
  expect({ code, problems }).toEqual({ code: 1, problems: ['docs/deep/page.md:4 has 124 columns; wrap it at 120'] });
});

test('what a program printed is shown unchanged, however wide, and lines behind it keep their numbers', () => {
  const { problems } = check({
    'docs/page.md': `\`\`\`text\n${words(60)}\n\`\`\`\n\n\`\`\`sh\n${words(25)}\n\`\`\`\n`,
  });
  expect(problems).toEqual(['docs/page.md:6 has 124 columns; wrap it at 120']);
});

test('a sentence above 25 words is refused', () => {
  const sentence = `${words(13)}\n${words(13)}.`;
  expect(check({ '.github/page.md': sentence }).problems[0]).toContain('.github/page.md has a sentence of 26 words');
});

test('a README above 150 lines and a CHANGELOG above 80 are refused', () => {
  const { problems } = check({ 'README.md': '\n'.repeat(150) + 'end', 'CHANGELOG.md': '\n'.repeat(80) + 'end' });
  expect(problems).toEqual(['CHANGELOG.md has 81 lines; at most 80', 'README.md has 151 lines; at most 150']);
});

test('code, tables, headings and addresses of links do not count as words of a sentence', () => {
  const code = `\`${words(30)}\` and [a link](https://example.invalid/${'x'.repeat(9)}) are few words.`;
  const page = `# ${words(30)}\n\n| ${words(30)} |\n| --- |\n\n\`\`\`\n${words(30)}\n\`\`\`\n\n${code}\n`;
  expect(findLongSentences(page)).toEqual([]);
});

test('each item of a list is a sentence of its own', () => {
  expect(findLongSentences(`- ${words(20)}\n- ${words(20)}\n1. ${words(20)}\n`)).toEqual([]);
});
