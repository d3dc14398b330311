// Every plan and every command of docs/getting-started.md, in its order, by the shell.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli } from '../support/cli.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'getting-started.md'), 'utf8');
/** The plans have no names on the page but in the commands that follow them. */
const names = ['notes.yaml', 'recover.yaml', 'ask.yaml'];

test('the page can be followed from its top to its end', async () => {
  const cli = new Cli();
  const bin = join(cli.cwd, '..', 'bin');
  mkdirSync(bin);
  // `npx heddle` of a clone, wherever the reader stands.
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'bin', 'heddle.js')}" "$@"\n`,
  );
  chmodSync(join(bin, 'npx'), 0o755);
  let commands = 0;
  for (const [, language, text = ''] of page.matchAll(/```(\w+)\n(.*?)```/gs)) {
    if (language === 'yaml') writeFileSync(join(cli.cwd, names.shift() ?? ''), text);
    else {
      for (const line of text.trim().split('\n')) {
        const ran = await shell(line, cli, `${bin}:${process.env['PATH'] ?? ''}`);
        expect([line, ran.code, ran.output]).toEqual([line, 0, expect.any(String)]);
        commands += 1;
      }
    }
  }
  expect([names, commands]).toEqual([[], 12]);
  expect(readFileSync(join(cli.cwd, 'prompt-2.txt'), 'utf8')).toContain('Upgrade');
  expect(existsSync(join(cli.cwd, 'changes.txt'))).toBe(true);
}, 240_000);

function shell(line: string, cli: Cli, path: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: cli.cwd,
    env: { ...cli.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
