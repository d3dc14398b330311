// The config on a real server: what a worker takes from files, flags and starters.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report, TaskListing } from '../../../client/index.ts';
import { Cli, useSharedHome } from '../../support/cli.ts';
import { codeOf, endOf, shellPlan, useRig } from '../../support/rig.ts';

const home = useSharedHome();
const rig = useRig({ env: { OPTIONAL_SET: 'here' } });

function workspaceWith(config: string): string {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'heddle.toml'), config);
  return workspace;
}

describe('a bare client', () => {
  test("gets the config of the workspace's folder, with its own words above it, frozen in the task", async () => {
    const workspace = workspaceWith(`
      maxParallelSubtasks = 2
      maxAttempts = 3
      executor = "mine"
      verifyTimeout = "9s"
      [executors.mine]
      kind = "command"
      run = ["sh", "-c", "cat > prompt.txt; echo $OPTIONAL_SET$OPTIONAL_MISSING {model} | tee out.txt"]
      models = ["small", "large"]
      env = ["OPTIONAL_SET?", "OPTIONAL_MISSING?"]
      [roles.writer]
      persona = "You write short sentences."
      tier = 2
    `);
    const task = await rig.start({
      goal: 'g',
      workspace,
      config: { environment: { maxParallelSubtasks: 3, escalationPause: 7 }, flags: { escalationPause: 9 } },
      subtasks: [{ id: 'a', description: 'Write it.', role: 'writer' }],
    });
    expect(await endOf(task)).toBe('completed');
    expect(readFileSync(join(workspace, 'out.txt'), 'utf8')).toBe('here large\n');
    expect(readFileSync(join(workspace, 'prompt.txt'), 'utf8')).toMatch(/^You write short sentences\.\n\nWrite it\.\n/);
    const plan = await task.plan();
    expect(plan).toMatchObject({ maxParallelSubtasks: 3, escalationPause: 9, verifyTimeout: 9_000 });
    expect(plan?.subtasks[0]).toMatchObject({ maxAttempts: 3, tier: 2, persona: 'You write short sentences.' });
  });

  test('a change of the config does not change a task that runs', async () => {
    const mine = (word: string): string =>
      `executors.mine = { kind = "command", run = ["sh", "-c", "echo ${word} | tee b.txt"] }\n`;
    const workspace = workspaceWith(mine('before'));
    const plan = shellPlan({ a: { sh: `printf '%s' '${mine('after')}' > heddle.toml; echo done` } }, { workspace });
    const task = await rig.start({
      ...plan,
      subtasks: [...plan.subtasks, { id: 'b', dependsOn: ['a'], executor: 'mine' }],
    });
    expect(await endOf(task)).toBe('completed');
    expect(readFileSync(join(workspace, 'heddle.toml'), 'utf8')).toContain('after');
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('before\n');
  });

  test('a config that is broken where the worker runs fails the task with its code, file and line', async () => {
    const workspace = workspaceWith('maxAttempts = 3\nmaxParalel = 1\n');
    const task = await rig.start({ ...shellPlan({ a: { sh: 'true' } }), workspace });
    const error = await task.result().catch((caught: unknown) => caught);
    expect(await codeOf(task.result())).toBe('CONFIG_UNKNOWN_KEY');
    expect(error).toMatchObject({ where: `${join(workspace, 'heddle.toml')}:2:1 (maxParalel)` });
  });

  test('a verify command ends after the time that the config gives it', async () => {
    const workspace = workspaceWith('verifyTimeout = "300ms"\nladder = [{ tier = 1 }]\n');
    const task = await rig.start({ ...shellPlan({ a: { sh: 'true', verify: ['sleep 20'] } }), workspace });
    expect(await endOf(task)).toBe('failed');
    expect((await task.attempts())[0]?.details).toContain('0.3 s');
  });
});

test('flags beat the plan, the environment does not, and a retry keeps the flags', async () => {
  const cli = new Cli({
    HEDDLE_HOME: home(),
    HEDDLE_PROJECT: 'from-the-environment',
    HEDDLE_MAX_ATTEMPTS: '1',
  });
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    '[executors.mine]\nkind = "command"\nrun = ["sh", "-c", "test -e ready && echo done"]\n',
  );
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    'goal: g\nproject: from-the-plan\nexecutor: claude\nsubtasks: [{ id: a }]\n',
  );
  await cli.here('trust');
  const ladder = 'ladder=[{ tier = "assigned" }, { tier = "next" }]';
  const failed = await cli.here('run', 'plan.yaml', '--id', 'flags', '-c', 'executor=mine', '-c', ladder);
  expect([failed.code, failed.stderr]).toEqual([1, '']);
  const listed = await cli.jsonHere<TaskListing[]>('list');
  expect(listed.find(({ id }) => id === 'flags')?.project).toBe('from-the-plan');
  const report = await cli.jsonHere<Report>('report', 'flags');
  expect(report.attempts.total).toBe(1);
  writeFileSync(join(cli.cwd, 'ready'), '');
  expect((await cli.here('retry', 'flags')).code).toBe(0);
}, 120_000);

test('init writes a file that config reads, and does not write over it', async () => {
  const cli = new Cli();
  expect((await cli.run('init', '--all')).code).toBe(0);
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    readFileSync(join(cli.cwd, 'heddle.toml'), 'utf8').replace('#maxAttempts = 8', 'maxAttempts = 4'),
  );
  await cli.here('trust');
  const again = await cli.here('init', '--json');
  expect([again.code, (JSON.parse(again.stderr) as { error: { code: string } }).error.code]).toEqual([
    2,
    'CONFIG_EXISTS',
  ]);
  mkdirSync(join(cli.cwd, '.git'));
  mkdirSync(join(cli.cwd, 'src'));
  const { values, files } = await cli.jsonHere<{
    values: { key: string; value: unknown; from: string; place: string }[];
    files: ({ kind: string; path: string } & Record<'found', boolean>)[];
  }>('config', '-c', 'project=p');
  const line =
    readFileSync(join(cli.cwd, 'heddle.toml'), 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith('maxAttempts')) + 1;
  expect(values.find(({ key }) => key === 'maxAttempts')).toEqual({
    key: 'maxAttempts',
    value: 4,
    from: 'file',
    place: `${join(cli.cwd, 'heddle.toml')}:${line}`,
  });
  expect(values.find(({ key }) => key === 'project')).toMatchObject({ value: 'p', from: 'flag' });
  expect(files.map(({ kind, found }) => [kind, found])).toEqual([
    ['user', false],
    ['project', true],
  ]);
  expect((await cli.here('init', '--force', '--all')).code).toBe(0);
  expect(readFileSync(join(cli.cwd, 'heddle.toml'), 'utf8')).toContain('#maxAttempts = 8');
  expect(cli.processes()).toEqual([]);
});

test.each(['anthropic', 'openai', 'gemini', 'openrouter', 'ollama'])(
  'init --model %s writes models that a goal can use',
  async (model) => {
    const cli = new Cli();
    expect((await cli.here('init', '--model', model)).code).toBe(0);
    const { models, routes } = await cli.jsonHere<{ models: { provider: string }[]; routes: { model: unknown }[] }>(
      'models',
    );
    expect(new Set(models.map(({ provider }) => provider))).toEqual(new Set([model]));
    expect(routes.filter((route) => route.model === null)).toEqual([]);
    expect((await cli.here('init', '--model', model, '--all', '--force')).code).toBe(0);
    // Nothing is in it twice: all of it can be uncommented.
    const file = join(cli.cwd, 'heddle.toml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^#(?=[a-z][\w.-]* = )/gm, ''));
    expect(await cli.here('trust')).toMatchObject({ code: 0 });
    expect((await cli.jsonHere<{ models: object[] }>('models')).models.length).toBeGreaterThan(models.length);
  },
);

test('init refuses a service that it does not know, and lists those that it does', async () => {
  const cli = new Cli();
  const { code, stderr } = await cli.here('init', '--model', 'nobody');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('anthropic, openai, gemini, openrouter, claude, codex, gemini-cli, opencode, ollama'),
  ]);
});
