// The plan that the README shows. getting-started.test.ts runs its commands and its program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '');
}

test('the plan of the README is the example', () => {
  const [shown = ''] = blocks('yaml');
  const example = readFileSync(join(root, 'examples', 'hello.yaml'), 'utf8');
  const lines = (text: string): string[] =>
    text.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '');
  expect(lines(shown)).toEqual(lines(example));
});
