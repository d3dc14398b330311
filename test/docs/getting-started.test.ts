// The first steps of a reader, in a clone: docs/getting-started.md, then the commands and the program of the README, at one service.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alive, Cli, useHome } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const home = useHome();

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text ?? '');
}

test('docs/getting-started.md can be followed from its top to its end, and the service is started by it', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const printed = await followPage(cli, 'getting-started.md', ['notes.yaml', 'recover.yaml', 'ask.yaml'], {
    asProcess: (line) => line === 'heddle doctor' || line === 'heddle run notes.yaml',
    keepService: true,
  });
  expect(printed.size).toBe(11);
  expect(printed.get('heddle run notes.yaml')).toContain('Starting the local service');
  expect(readFileSync(join(cli.cwd, 'prompt-2.txt'), 'utf8')).toContain('Upgrade');
  expect(existsSync(join(cli.cwd, 'changes.txt'))).toBe(true);
}, 240_000);

test('the commands of the first task and the program of the README run, and end the service', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  cpSync(join(root, 'examples'), join(cli.cwd, 'examples'), { recursive: true });
  const commands = (blocks('sh').find((block) => block.includes('examples/hello.yaml')) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('heddle'))
    .map((line) => (line.split('#')[0] ?? '').trim().split(/\s+/).slice(1));
  expect(commands.length).toBeGreaterThan(3);
  const { temporalAddress } = await cli.jsonHere<{ temporalAddress: string }>('up', '--background');
  for (const command of commands.filter(([name]) => name !== 'down')) {
    const { code, stderr } = await cli.here(...command);
    expect([command.join(' '), code, stderr]).toEqual([command.join(' '), 0, '']);
  }
  const program = (blocks('ts')[0] ?? '')
    .replace("'@heddle/client'", JSON.stringify(join(root, 'client', 'index.ts')))
    .replace('localhost:7233', temporalAddress);
  writeFileSync(join(cli.cwd, 'program.ts'), program);
  const ran = spawnSync(process.execPath, ['program.ts'], {
    cwd: cli.cwd,
    env: cli.env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(ran.stdout).toContain('The task is completed');
  const processes = cli.processes().map(({ pid }) => pid);
  expect((await cli.run('down')).code).toBe(0);
  expect([processes.length, processes.filter(alive)]).toEqual([2, []]);
}, 180_000);
