// The config on a real server: what a worker takes from files and starters, and what the agent programs of the presets are given.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../domain/report/report.ts';
import { Cli } from '../../support/cli.ts';
import { codeOf, endOf, linesOf, shellPlan, useRig } from '../../support/rig.ts';

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

/** A program of that name on the PATH that writes down what it was given, a line for each call. */
function fake(cli: Cli, name: string, then: string): void {
  const folder = join(cli.cwd, 'bin');
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh
printf '%s' "$*" | tr '\\n' ' ' >> calls-${name}.txt; echo >> calls-${name}.txt
cat >> stdin-${name}.txt
env | cut -d= -f1 | sort | tr '\\n' ' ' > env-${name}.txt
${then}
`;
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
}

const claude = '--print --output-format stream-json --verbose --permission-mode acceptEdits --model';

/** The last word of each program about a run that went well. */
const done = {
  claude:
    '{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.01,"session_id":"one","usage":{"output_tokens":5}}',
  codex:
    '{"type":"item.completed","item":{"type":"agent_message","text":"done"}}\n{"type":"turn.completed","usage":{"output_tokens":7}}',
  gemini:
    '{"type":"message","role":"assistant","content":"done"}\n{"type":"result","status":"success","stats":{"total_tokens":9}}',
};
const says = (name: keyof typeof done): string => `printf '%b\\n' '${done[name]}'`;
const answers = `while [ $# -gt 1 ]; do [ "$1" = --analytics-log ] && log=$2; shift; done
cp "$1" message.txt; echo '{"event":"message_send","properties":{"total_tokens":11,"total_cost":0.02}}' > "$log"; echo done`;

test('agent programs are called as their presets say, and climbing changes the model', async () => {
  const cli = new Cli({ ANTHROPIC_API_KEY: 'sk-ant-not-real-0000', GH_TOKEN: 'not for them' });
  cli.env['PATH'] = `${join(cli.cwd, 'bin')}:${process.env['PATH'] ?? ''}`;
  fake(cli, 'claude', `echo "$8" > model.txt; ${says('claude')}`);
  fake(cli, 'codex', says('codex'));
  fake(cli, 'gemini', says('gemini'));
  fake(cli, 'aider', answers);
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    'executor = "claude"\ntaskQueue = "from-the-file"\nexecutors.gemini.args = ["--sandbox"]\n',
  );
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    `goal: Try the presets
subtasks:
  - { id: climbs, description: Get it right, verify: ['grep -qx opus model.txt'] }
  - { id: codex, description: Say codex, executor: codex, tier: 2 }
  - { id: gemini, description: Say gemini, executor: gemini, tier: 3 }
  - { id: aider, description: Say aider, executor: aider }
`,
  );
  const { code, stdout, stderr } = await cli.run('run', 'plan.yaml', '--exit-on-decision');
  expect([code, stderr.replace(/^Starting.*\n/, '')], stdout).toEqual([0, '']);
  const read = (name: string): string => readFileSync(join(cli.cwd, name), 'utf8');
  expect(linesOf(join(cli.cwd, 'calls-claude.txt'))).toEqual([
    `${claude} haiku`,
    `${claude} haiku --resume one`,
    `${claude} sonnet`,
    `${claude} opus --effort high`,
  ]);
  expect(linesOf(join(cli.cwd, 'calls-codex.txt'))).toEqual([
    'exec --json --sandbox workspace-write --skip-git-repo-check --color never --config model_reasoning_effort="medium" -',
  ]);
  expect(linesOf(join(cli.cwd, 'calls-gemini.txt'))).toEqual([
    '--output-format stream-json --approval-mode auto_edit --skip-trust --model pro --sandbox',
  ]);
  const [call = ''] = linesOf(join(cli.cwd, 'calls-aider.txt'));
  expect(call).toMatch(/^--yes-always --no-auto-commits .* --model haiku --message-file \/\S+prompt\.txt$/);
  expect(read('message.txt')).toContain('Say aider');
  expect([read('stdin-codex.txt'), read('stdin-gemini.txt')]).toEqual([
    expect.stringContaining('Say codex'),
    expect.stringContaining('Say gemini'),
  ]);
  expect(read('stdin-claude.txt')).toContain('<retry_context attempt="4"');
  expect(read('env-claude.txt')).toContain('ANTHROPIC_API_KEY ');
  for (const name of ['claude', 'codex', 'gemini', 'aider']) expect(read(`env-${name}.txt`)).not.toContain('GH_TOKEN');
  expect(read('env-codex.txt')).not.toContain('ANTHROPIC_API_KEY');
  const { records, cost } = await cli.json<Report>('report', 'latest');
  expect(
    records
      .filter(({ outcome }) => outcome === 'passed')
      .map(({ subtask, costUsd, tokens }) => [subtask, costUsd, tokens]),
  ).toEqual(
    expect.arrayContaining([
      ['climbs', 0.01, 5],
      ['codex', null, 7],
      ['gemini', null, 9],
      ['aider', 0.02, 11],
    ]),
  );
  expect(cost).toMatchObject({ usd: 0.06, unknownAttempts: 2 });
  const service = JSON.parse(readFileSync(join(cli.home, 'run', 'service.json'), 'utf8')) as { taskQueue: string };
  expect(service.taskQueue).toBe('from-the-file');
}, 120_000);

test('flags beat the plan, the environment does not, and a retry keeps the flags', async () => {
  const cli = new Cli({ HEDDLE_PROJECT: 'from-the-environment', HEDDLE_MAX_ATTEMPTS: '1' });
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    '[executors.mine]\nkind = "command"\nrun = ["sh", "-c", "test -e ready && echo done"]\n',
  );
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    'goal: g\nproject: from-the-plan\nexecutor: claude\nsubtasks: [{ id: a }]\n',
  );
  const ladder = 'ladder=[{ tier = "assigned" }, { tier = "next" }]';
  const failed = await cli.run('run', 'plan.yaml', '--id', 't', '-c', 'executor=mine', '-c', ladder);
  expect([failed.code, failed.stderr.replace(/^Starting.*\n/, '')]).toEqual([1, '']);
  const [listed] = await cli.json<{ project: string }[]>('list');
  expect(listed?.project).toBe('from-the-plan');
  const report = await cli.json<{ attempts: { total: number } }>('report', 't');
  expect(report.attempts.total).toBe(1);
  writeFileSync(join(cli.cwd, 'ready'), '');
  expect((await cli.run('retry', 't')).code).toBe(0);
}, 120_000);

test('init writes a file that config reads, and does not write over it', async () => {
  const cli = new Cli();
  expect((await cli.run('init')).code).toBe(0);
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    readFileSync(join(cli.cwd, 'heddle.toml'), 'utf8').replace('#maxAttempts = 8', 'maxAttempts = 4'),
  );
  const again = await cli.run('init', '--json');
  expect([again.code, (JSON.parse(again.stderr) as { error: { code: string } }).error.code]).toEqual([
    2,
    'CONFIG_EXISTS',
  ]);
  mkdirSync(join(cli.cwd, '.git'));
  mkdirSync(join(cli.cwd, 'src'));
  const { values, files } = await cli.json<{
    values: { key: string; value: unknown; from: string; place: string }[];
    files: { kind: string; path: string; found: boolean }[];
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
  expect((await cli.run('init', '--force')).code).toBe(0);
  expect(readFileSync(join(cli.cwd, 'heddle.toml'), 'utf8')).toContain('#maxAttempts = 8');
  expect(cli.processes()).toEqual([]);
});
