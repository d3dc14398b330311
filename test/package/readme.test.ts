// The README followed word by word in a fresh home: from Install to a goal of one's own, with the packed file in place of the registry.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { correctingReplies, writeFailingProject } from '../e2e/planning/failing-project.ts';
import { serveScript } from '../support/scripted-models.ts';

const folder = inject('installFolder');
const prefix = inject('prefix');
const home = join(folder, 'reader');
const project = join(home, 'project');
const readme = readFileSync(join(prefix, 'lib', 'node_modules', '@heddle', 'heddle', 'README.md'), 'utf8');
const env = {
  PATH: [join(prefix, 'bin'), join(process.execPath, '..'), process.env['PATH']].join(':'),
  HOME: home,
  TEMPORAL_CLI_PATH: inject('temporalProgram'),
};

/** The commands of a section, as they are written there. */
function commandsOf(title: string): string[] {
  const [, section = ''] = readme.split(`\n## ${title}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'));
}

function shell(line: string, more: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', line], { cwd: project, env: { ...env, ...more } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const examples = ['hello', 'recover'];

beforeAll(() => {
  mkdirSync(join(project, 'examples'), { recursive: true });
  writeFailingProject(project);
  const [, hello = ''] = /```yaml\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(project, 'examples', 'hello.yaml'), hello);
  const recover = join(prefix, 'lib', 'node_modules', '@heddle', 'heddle', 'examples', 'recover.yaml');
  writeFileSync(join(project, 'examples', 'recover.yaml'), readFileSync(recover));
});
afterAll(() => shell('heddle down --force'));

const withoutComment = (line: string): string => (line.split('#')[0] ?? '').trim();

test('with a key in the environment, the goal of the README is done and checked by the tests of the project', async () => {
  const { url } = await serveScript(correctingReplies);
  const key = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url };
  const [install = '', goal = '', ...more] = commandsOf('Install');
  // The setup of these tests has done this with the packed file.
  expect([withoutComment(install), more]).toEqual(['npm i -g @heddle/heddle', []]);
  expect(commandsOf('First task').map(withoutComment)).toContain(withoutComment(goal));
  const ran = shell(goal, key);
  // The project is not trusted, so a person allows its tests, as the question says.
  const inbox = async () => (await shell('heddle inbox --json')).output;
  await expect.poll(inbox, { timeout: 60_000, interval: 200 }).toContain('npm test');
  const [{ taskId, id }] = JSON.parse(await inbox()) as [{ taskId: string; id: string }];
  expect((await shell(`heddle decide ${taskId} ${id} approve`)).code).toBe(0);
  const { code, output } = await ran;
  expect([code, output]).toEqual([0, expect.stringContaining('Completed')]);
  expect((await shell('npm test')).code).toBe(0);
});

test('the commands of the first task run as they are written, and end the service', async () => {
  const lines = commandsOf('First task');
  const first = lines.slice(0, lines.findIndex((line) => line.startsWith('heddle down')) + 1);
  for (const name of examples) expect(first.join()).toContain(`heddle run examples/${name}.yaml`);
  for (const line of first) {
    const { code, output } = await shell(line);
    expect([line, code, output]).toEqual([line, 0, expect.any(String)]);
  }
});
