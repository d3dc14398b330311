// The examples of docs/configuration.md work: its files, its commands, its error, its command lines.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLayer } from '../../domain/config/layer.ts';
import { noConfig, resolveConfig } from '../../domain/config/layers.ts';
import { configSchema } from '../../domain/schema/config-schema.ts';
import { buildArguments } from '../../domain/executors/arguments.ts';
import { Cli } from '../support/cli.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'configuration.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block ?? '');

test.each(blocks('toml'))('docs/configuration.md shows a valid file:\n%s', (toml) => {
  const { raw } = fileLayer({ name: 'heddle.toml', text: toml });
  expect(Object.keys(raw).length).toBeGreaterThan(0);
  expect(() => resolveConfig({ below: [fileLayer({ name: 'heddle.toml', text: toml })], above: [] })).not.toThrow();
});

test('docs/configuration.md has a row for every key', () => {
  const rows = [...text.matchAll(/^\| `([a-zA-Z]+)(?:\.NAME)?` /gm)].map(([, key]) => key);
  const presets = ['claude', 'codex', 'gemini', 'opencode', 'aider'];
  expect(rows.filter((key) => !presets.includes(key ?? '')).sort()).toEqual(Object.keys(configSchema.shape).sort());
});

test('docs/configuration.md shows the command lines of the presets', () => {
  for (const [name, executor] of Object.entries(noConfig().executors)) {
    if (executor.kind === 'agent') continue;
    if (executor.kind !== 'command') throw new Error(`${name} is no program`);
    const line = buildArguments(executor, { tier: 1, thinking: true, promptFile: 'FILE', resultFile: 'RESULT' }).join(
      ' ',
    );
    expect(text).toContain(`| \`${line}\` `);
  }
});

test('the commands of docs/configuration.md run, and a misspelt key gets the error that it shows', async () => {
  const cli = new Cli();
  const commands = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => (line.split(' #')[0] ?? '').trim())
    .filter((line) => line !== '');
  expect(commands.length).toBe(7);
  for (const command of commands) {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const at = words.indexOf('heddle');
    for (const pair of words.slice(0, at)) cli.env[pair.split('=')[0] ?? ''] = pair.split('=')[1];
    const { code, stderr } = await cli.run(...words.slice(at + 1));
    expect([command, code, stderr]).toEqual([command, 0, '']);
  }
  writeFileSync(join(cli.cwd, 'heddle.toml'), 'maxAtempts = 3\n');
  const { code, stderr } = await cli.run('config');
  expect(code).toBe(2);
  expect(stderr.replace(`${cli.cwd}/`, '')).toBe(blocks('text')[0]);
  const clone = new Cli();
  const file = '[providers.p]\nkind = "openai"\nbaseUrl = "http://127.0.0.1:9"\n[gates]\nallow = ["shell:ls"]\n';
  writeFileSync(join(clone.cwd, 'heddle.toml'), file);
  const untrusted = await clone.run('models');
  expect(untrusted.code).toBe(2);
  expect(untrusted.stderr.replaceAll(`${clone.cwd}/`, '')).toBe(blocks('text')[1]);
}, 60_000);
