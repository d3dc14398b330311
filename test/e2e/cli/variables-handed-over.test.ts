// Variables of the command that starts or answers a task: its programs and models have them, whatever the service was started with, and
// their values are in one file of the home alone, until the task ends.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusView } from '../../../domain/views/task-status.ts';
import { filesBelow } from '../../activities/redact/support.ts';
import { Cli, until, useHome } from '../../support/cli.ts';
import { type ModelServer, serveModel } from '../../support/model-server.ts';

const home = useHome();
const first = 'first-0123456789';
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home(), FOO: first, AGENT_KEY: first });
const folder = (): string => join(home(), 'variables');
const kept = (): string[] =>
  existsSync(folder()) ? readdirSync(folder()).filter((name) => name.endsWith('.json')) : [];

/** The files of the home that hold a value, but for the one that is meant to. */
const leaks = (value: string): string[] =>
  filesBelow(home())
    .filter(({ path, text }) => !path.includes('/variables/') && text.includes(value))
    .map(({ path }) => path);

function writePlan(cli: Cli, script: string, more = ''): void {
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    `goal: Say foo
subtasks:
  - id: say
    description: Say it
    executor: { kind: command, run: [sh, -c, ${JSON.stringify(script)}], env: [FOO] }
    verify: ['true']
${more}`,
  );
}

test('a program has the variables of the command that starts the task, not those of the service', async () => {
  const cli = newCli();
  await cli.run('up', '--background');
  writePlan(cli, 'printf %s "$FOO" > out.txt; echo "it is $FOO"');
  const second = 'second-0123456789';
  const { code, stdout } = await cli.hereWith({ env: { FOO: second } }, 'run', 'plan.yaml', '--id', 'second');
  expect(code, stdout).toBe(0);
  expect(readFileSync(join(cli.cwd, 'out.txt'), 'utf8')).toBe(second);
  const logs = await cli.here('logs', 'second');
  expect(logs.stdout).toContain('it is [FOO]');
  expect([leaks(second), kept()]).toEqual([[], []]);
}, 120_000);

test('a retry has the variables of the command that starts it', async () => {
  const cli = newCli();
  writePlan(
    cli,
    'printf %s "$FOO" > out.txt; test "$FOO" = good-0123456789',
    '    ladder: [{ tier: assigned }, { person: true }]\n',
  );
  const bad = await cli.hereWith({ env: { FOO: 'bad-0123456789' } }, 'run', 'plan.yaml', '--id', 'again', '--detach');
  expect(bad.code, bad.stderr).toBe(0);
  await cli.here('watch', 'again', '--exit-on-decision');
  expect(readFileSync(join(cli.cwd, 'out.txt'), 'utf8')).toBe('bad-0123456789');
  const [name = ''] = kept();
  expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  await cli.here('cancel', 'again');
  await until('what was handed over is gone', () => kept().length === 0);
  const { code, stdout } = await cli.hereWith({ env: { FOO: 'good-0123456789' } }, 'retry', 'again');
  expect(code, stdout).toBe(0);
  expect(kept()).toEqual([]);
}, 120_000);

const config = (url: string): string => `
[providers.mine]
kind = "openai-compatible"
baseUrl = "${url}"
keyEnv = "AGENT_KEY"
[models.small]
provider = "mine"
id = "small-1"
tier = 3
context = 100000
output = 1000
`;

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const right = 'right-key-0123456789';
const wrong = 'wrong-key-0123456789';

/** A provider that takes the right key alone, and shows the wrong one in its error. What works has tools; what plans or judges has none. */
const serveWithKey = (withTools: unknown, without: unknown = {}): Promise<ModelServer> =>
  serveModel(({ headers, body }) => {
    if (headers['authorization'] !== `Bearer ${right}`)
      return { status: 401, pieces: [JSON.stringify({ error: { message: `Incorrect API key provided: ${wrong}` } })] };
    const content = JSON.stringify(body['tools'] === undefined ? without : withTools);
    const pieces = [chunk({ role: 'assistant', content }), chunk({}, 'stop'), 'data: [DONE]\n\n'];
    return { headers: { 'content-type': 'text/event-stream' }, pieces };
  });

const success = { status: 'success', notes: 'said' };

test('a key that is corrected in the shell that answers is used, and neither key is anywhere else', async () => {
  const cli = newCli();
  const model = await serveWithKey(success);
  writeFileSync(join(cli.cwd, 'heddle.toml'), config(model.url));
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    "goal: Say it\nsubtasks: [{ id: say, description: Say it, executor: agent, verify: ['true'] }]\n",
  );
  await cli.run('trust');
  const stopped = await cli.hereWith(
    { env: { AGENT_KEY: wrong } },
    ...['run', 'plan.yaml', '--id', 'key', '--exit-on-decision'],
  );
  expect(stopped.code, stopped.stderr).toBe(3);
  const { decisions } = await cli.jsonHere<StatusView>('status', 'key');
  const [{ id, problem, recommendation } = { id: '', problem: '', recommendation: '' }] = decisions;
  expect(recommendation).toBe('provide-credentials');
  expect(problem).toContain('AGENT_KEY');
  expect(problem).toContain('model small of the provider mine');
  await cli.hereWith({ env: { AGENT_KEY: right } }, 'decide', 'key', id, 'provide-credentials');
  const { code, stdout } = await cli.here('watch', 'key');
  expect(code, stdout).toBe(0);
  expect(model.received.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${wrong}`, `Bearer ${right}`]);
  const report = await cli.here('report', 'key', '--json');
  for (const value of [wrong, right]) {
    expect(report.stdout).not.toContain(value);
    expect(leaks(value)).toEqual([]);
  }
  expect(kept()).toEqual([]);
}, 120_000);

const judged = { criteria: ['It is said'], verification: 2 };
const twoSteps = {
  subtasks: [
    { id: 'look', description: 'Look at what is there', ...judged },
    { id: 'say', description: 'Say it', dependsOn: ['look'], ...judged },
  ],
};

test('a refused key while planning is asked about, and the goal is planned with the key of the answer', async () => {
  const cli = newCli();
  const model = await serveWithKey(success, twoSteps);
  writeFileSync(join(cli.cwd, 'heddle.toml'), config(model.url));
  await cli.run('trust');
  const flags = ['--id', 'goal', '--exit-on-decision', '--allow-unchecked'];
  const stopped = await cli.hereWith({ env: { AGENT_KEY: wrong } }, 'run', 'Say it to me', ...flags);
  expect(stopped.code, stopped.stderr).toBe(3);
  const { decisions, state } = await cli.jsonHere<StatusView>('status', 'goal');
  expect(state).toBe('waiting');
  expect(decisions).toMatchObject([{ kind: 'escalation', subtask: null, recommendation: 'provide-credentials' }]);
  const [{ id, problem, options } = { id: '', problem: '', options: [] }] = decisions;
  expect(options.map((option) => option.id)).toEqual(['retry', 'provide-credentials', 'abort']);
  expect(problem).toContain('The model small (mine)');
  expect(problem).toContain('AGENT_KEY');
  await cli.here('decide', 'goal', id, 'retry');
  await until('it is asked again', async () => {
    const now = await cli.jsonHere<StatusView>('status', 'goal');
    return now.decisions.some((decision) => decision.id !== id);
  });
  const [again = { id: '' }] = (await cli.jsonHere<StatusView>('status', 'goal')).decisions;
  await cli.hereWith({ env: { AGENT_KEY: right } }, 'decide', 'goal', again.id, 'provide-credentials');
  const { code, stdout } = await cli.here('watch', 'goal');
  expect(code, stdout).toBe(0);
  expect(stdout).not.toContain('No plan could be made');
  const { subtasks } = await cli.jsonHere<StatusView>('status', 'goal');
  expect(subtasks.map((subtask) => subtask.id)).toEqual(expect.arrayContaining(['look', 'say']));
  expect([leaks(wrong), leaks(right)]).toEqual([[], []]);
}, 120_000);

test('the plan alone is refused where its key is refused', async () => {
  const cli = newCli();
  const model = await serveWithKey(success);
  writeFileSync(join(cli.cwd, 'heddle.toml'), config(model.url));
  await cli.run('trust');
  const { code, stderr } = await cli.hereWith({ env: { AGENT_KEY: wrong } }, 'plan', 'Say it to me');
  expect(code).not.toBe(0);
  expect(stderr).toContain('PLAN_NOT_MADE');
  expect(stderr).toContain('refused the credentials');
}, 120_000);

test('a key that is set nowhere is asked for by its name before anything runs', async () => {
  const cli = newCli();
  writeFileSync(join(cli.cwd, 'heddle.toml'), config('http://127.0.0.1:9').replace('AGENT_KEY', 'NO_SUCH_KEY'));
  writeFileSync(join(cli.cwd, 'plan.yaml'), 'goal: Say it\nsubtasks: [{ id: say, executor: agent }]\n');
  await cli.run('trust');
  const { code, stderr, stdout } = await cli.here('run', 'plan.yaml', '--json');
  expect(code).toBe(2);
  expect(`${stdout}${stderr}`).toContain('The variable NO_SUCH_KEY with the key of mine');
  await until('the names of its variables are gone', () => kept().length === 0);
}, 120_000);

test('down is refused with the commands that end the open task', async () => {
  const cli = newCli();
  writePlan(cli, 'sleep 60');
  await cli.here('run', 'plan.yaml', '--id', 'open', '--detach');
  const { code, stderr } = await cli.here('down');
  expect(code).not.toBe(0);
  expect(stderr).toContain('heddle cancel open');
  expect(stderr).toContain('heddle down --force');
  await cli.here('cancel', 'open');
}, 120_000);
