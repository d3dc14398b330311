// The screens of docs/terminal.md are those of the terminal.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientLimits } from '../../client/limits/client-limits.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'terminal.md'), 'utf8');

test('the screen is the captured one', () => {
  const captured = readFileSync(join(root, 'test', 'e2e', 'cli', 'screens', '80-others-go-on.txt'), 'utf8');
  expect(/```text\n(.*?)```/s.exec(page)?.[1]).toBe(captured);
});

const captured = ['80x24', '110x36'].flatMap((size) =>
  ['done', 'failed', 'asked', 'outage'].map((name) => `${name}-${size}`),
);

test.each(captured)('the page shows the captured screen %s', (name) => {
  const screen = readFileSync(join(root, 'test', 'e2e', 'cli', 'screens', `${name}.txt`), 'utf8');
  expect(page).toContain(`\`\`\`text\n${screen}\`\`\`\n`);
});

test('the time in which a new question takes no key is the one that holds', () => {
  expect(page).toContain(`takes no key for ${clientLimits.cli.keyGuard / 1_000} s`);
});
