// The first mile with the installed package: from nothing but a key, or a login, to a goal that is done. No file of Heddle is written.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { startScriptedServer, type ScriptedAnswer } from '../../activities/llm/scripted/scripted-server.ts';
import { installStandIn, logIn } from '../support/clis/stand-in.ts';
import { correctingReplies, writeFailingProject } from '../e2e/planning/failing-project.ts';

const folder = inject('installFolder');
/** A machine on which nobody has used Heddle: a home, a PATH with an agent program that is not logged in, no variables of ours. */
const home = join(folder, 'first-mile');
const bin = join(home, 'bin');
const program = join(inject('prefix'), 'bin', 'heddle');
const machine = {
  PATH: [dirname(program), bin, dirname(process.execPath), process.env['PATH']].join(':'),
  HOME: home,
  TEMPORAL_CLI_PATH: inject('temporalProgram'),
  OLLAMA_HOST: '127.0.0.1:9',
};

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** One command as a user types it, in one folder. */
function heddle(cwd: string, env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const begun = performance.now();
  const child = spawn(program, args, { cwd, env: { ...machine, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr, seconds: (performance.now() - begun) / 1_000 })),
  );
}

function project(): string {
  const cwd = mkdtempSync(join(home, 'project-'));
  writeFailingProject(cwd);
  return cwd;
}

/** The folder is trusted for one command: nobody is asked about its own test. */
const trusting = { HEDDLE_TRUST: '1' };

const goal = 'Make the tests pass';
async function serve(answer: (request: number) => ScriptedAnswer): Promise<string> {
  let requests = 0;
  const server = await startScriptedServer(() => Promise.resolve(answer((requests += 1))));
  onTestFinished(() => server.close());
  return server.url;
}

/** An address at which nobody listens any more. */
async function closedAddress(): Promise<string> {
  const server = await startScriptedServer(() => Promise.resolve(''));
  await server.close();
  return server.url;
}

beforeAll(() => {
  mkdirSync(home);
  installStandIn(bin, 'claude');
});
afterAll(() => {
  spawnSync(program, ['down', '--force'], { env: machine });
  rmSync(home, { recursive: true, force: true });
});

/** The end that every user sees, with each kind of model. */
function expectDone({ code, stdout, stderr, seconds }: Ended, cwd: string): void {
  console.log(`${goal}: ${seconds.toFixed(1)} s`);
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('Completed')]);
  expect(readFileSync(join(cwd, 'sum.cjs'), 'utf8')).toContain('a + b');
  expect(stdout).toContain('npm test');
}

test('without a key the goal is refused with what was looked for and the command that helps', async () => {
  const { code, stderr } = await heddle(project(), {}, 'run', goal);
  expect(code).toBe(2);
  for (const words of ['ANTHROPIC_API_KEY', 'claude (not logged in: `claude auth login`)', 'Ollama', 'export '])
    expect(stderr).toContain(words);
});

test('a key of Anthropic is enough: after a yes to `npm test` the goal is done, and the tests have passed', async () => {
  const cwd = project();
  const url = await serve((request) => correctingReplies[request - 1] ?? 'no reply is left');
  const env = { ANTHROPIC_API_KEY: 'test-key-1', ANTHROPIC_BASE_URL: url };
  const paused = await heddle(cwd, env, 'run', goal, '--exit-on-decision');
  expect(paused.stderr.split('\n')[0]).toMatch(/^Using .* of Anthropic \(ANTHROPIC_API_KEY\)/);
  // The folder is not trusted, so a person is asked about its own test command.
  expect([paused.code, paused.stdout]).toEqual([3, expect.stringContaining('It would run: npm test')]);
  expect((await heddle(cwd, {}, 'decide', 'latest', 'fix-1', 'approve')).code).toBe(0);
  const { seconds, ...ended } = await heddle(cwd, {}, 'watch', 'latest');
  expectDone({ ...ended, seconds: seconds + paused.seconds }, cwd);
});

test('an agent program that is logged in is enough', async () => {
  const cwd = project();
  const files = logIn(home, 'claude');
  onTestFinished(() => files.forEach((name) => rmSync(join(home, name))));
  const ended = await heddle(cwd, trusting, 'run', goal, '--exit-on-decision');
  expect(ended.stderr.split('\n')[0]).toMatch(/^Using the agent CLI claude with opus, sonnet and haiku/);
  expectDone(ended, cwd);
});

test('a wrong key of OpenAI asks for another one, which the answer brings', async () => {
  const cwd = project();
  const url = await serve((request) =>
    request === 1 ? { status: 401, text: 'invalid x-api-key' } : (correctingReplies[request - 2] ?? 'no reply is left'),
  );
  const env = (key: string) => ({ ...trusting, OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` });
  const paused = await heddle(cwd, env('wrong-key'), 'run', goal, '--exit-on-decision', '--id', 'wrong-key');
  expect([paused.code, paused.stdout + paused.stderr]).toEqual([3, expect.stringContaining('OPENAI_API_KEY')]);
  const answered = await heddle(cwd, env('right-key'), 'decide', 'wrong-key', 'planning-1', 'provide-credentials');
  expect([answered.code, answered.stderr]).toEqual([0, expect.any(String)]);
  expectDone(await heddle(cwd, {}, 'watch', 'wrong-key'), cwd);
});

test('a provider that cannot be reached is waited for, and said to be', async () => {
  const cwd = project();
  const url = await closedAddress();
  const env = { ANTHROPIC_API_KEY: 'test-key-3', ANTHROPIC_BASE_URL: url };
  await heddle(cwd, env, 'run', goal, '--detach', '--id', 'unreachable');
  let status = '';
  for (let look = 0; look < 50 && !status.includes('cannot be reached'); look += 1)
    status = (await heddle(cwd, {}, 'status', 'unreachable')).stdout;
  expect(status).toMatch(/Retrying in .* anthropic cannot be reached/);
  expect((await heddle(cwd, {}, 'cancel', 'unreachable')).code).toBe(0);
});
