// docs/agent.md: its first task runs as it says, its settings and its script are accepted, its tools are those that there are.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScript } from '../../activities/models/script.ts';
import type { AttemptView } from '../../domain/model/attempt-view.ts';
import { fileLayer } from '../../domain/config/layer.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import { toolNames } from '../../domain/executors/agent.ts';
import { Cli } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'agent.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block ?? '');

test('the first task can be followed: it recovers, asks, and tells what was said', async () => {
  const cli = new Cli();
  cpSync(join(root, 'examples', 'agent'), join(cli.cwd, 'examples', 'agent'), { recursive: true });
  const printed = await followPage(cli, 'agent.md', ['script.yaml']);
  expect(printed.size).toBe(8);
  const notes = readFileSync(join(cli.cwd, 'examples', 'agent', 'NOTES.md'), 'utf8');
  expect(notes).toMatch(/# Changes[^#]*# Upgrade/);
  expect(printed.get('npx heddle logs first notes')).toContain('read_file {"path":"CHANGES.txt"}: ok');
  expect(printed.get('npx heddle inbox')).toContain('option-2  developers');
  const transcript = printed.get('npx heddle logs first announce --transcript') ?? '';
  expect(transcript).toMatch(/### Call ask_user[^#]*### Result of ask_user[^#]*users/);
  const { records } = await cli.json<{ records: AttemptView[] }>('report', 'first');
  expect(records.map(({ subtask, attempt, outcome, modelCalls }) => [subtask, attempt, outcome, modelCalls])).toEqual([
    ['notes', 1, 'failed', 2],
    ['notes', 2, 'passed', 1],
    ['announce', 1, 'passed', 2],
  ]);
  // It waited for a person, not for the environment.
  expect(records.map(({ waits }) => waits)).toEqual([[], [], []]);
}, 240_000);

test.each(blocks('toml'))('shows a valid file:\n%s', (toml) => {
  const { models } = resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text: toml })], above: [] });
  expect(models.length).toBeGreaterThan(0);
});

test('shows a valid script, and every tool', () => {
  expect(blocks('yaml').map((script) => parseScript(script, 'script.yaml').length)).toEqual([3]);
  const [, table = ''] = /## What it can do\n(.*?)\n\n`/s.exec(page) ?? [];
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...toolNames].sort());
});
