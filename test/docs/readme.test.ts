// What the README shows works: its plan, its commands, its program.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli } from '../support/cli.ts';

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

test('the commands of the first task and the program of the README run', async () => {
  const cli = new Cli();
  cpSync(join(root, 'examples'), join(cli.cwd, 'examples'), { recursive: true });
  const commands = (blocks('sh')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('npx heddle'))
    .map((line) => (line.split('#')[0] ?? '').trim().split(/\s+/).slice(2));
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands.filter(([name]) => name !== 'down')) {
    const { code, stderr } = await cli.run(...command);
    expect([command.join(' '), code, stderr.replace(/^Starting the local service\n/, '')]).toEqual([
      command.join(' '),
      0,
      '',
    ]);
  }
  const { temporalAddress } = await cli.json<{ temporalAddress: string }>('up', '--background');
  const program = (blocks('ts')[0] ?? '')
    .replace("'./client/index.ts'", JSON.stringify(join(root, 'client', 'index.ts')))
    .replace('localhost:7233', temporalAddress);
  writeFileSync(join(cli.cwd, 'program.ts'), program);
  const ran = spawnSync(process.execPath, ['program.ts'], { cwd: cli.cwd, encoding: 'utf8', timeout: 60_000 });
  expect(ran.stdout).toContain('The task is completed');
  expect((await cli.run('down')).code).toBe(0);
}, 180_000);
