// Every plan and every command of docs/getting-started.md, in its order, by the shell, as in a clone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

test('the page can be followed from its top to its end', async () => {
  const cli = new Cli();
  const printed = await followPage(cli, 'getting-started.md', ['notes.yaml', 'recover.yaml', 'ask.yaml'], {
    fromSources: true,
  });
  expect(printed.size).toBe(12);
  expect(readFileSync(join(cli.cwd, 'prompt-2.txt'), 'utf8')).toContain('Upgrade');
  expect(existsSync(join(cli.cwd, 'changes.txt'))).toBe(true);
}, 240_000);
