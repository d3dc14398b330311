// docs/agent.md: its settings and its script are accepted, its tools are those that there are. pages.test.ts follows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScript } from '../../activities/llm/scripted/script.ts';
import { fileLayer } from '../../domain/config/layer.ts';
import { resolveConfig } from '../../domain/config/layers.ts';
import { toolNames } from '../../domain/executors/agent.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'agent.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block ?? '');

test.each(blocks('toml'))('shows a valid file:\n%s', (toml) => {
  const { models } = resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text: toml })], above: [] });
  expect(models.length).toBeGreaterThan(0);
});

test('shows a valid script, and every tool', () => {
  expect(blocks('yaml').map((script) => parseScript(script, 'script.yaml').length)).toEqual([3]);
  const [, table = ''] = /## Tools\n(.*?)\n\n`/s.exec(page) ?? [];
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...toolNames].sort());
});
