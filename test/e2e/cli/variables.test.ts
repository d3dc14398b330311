// Variables of the service: programs are given those that are named, and neither the home (history, store, records, logs) nor any command
// shows the value of one, whatever the programs tell.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../../client/index.ts';
import { failingEnd, filesBelow, leaksIn, makeSecrets, tellingProgram } from '../../activities/redact/support.ts';
import { Cli, useHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';

const home = useHome();
const secrets = makeSecrets();
const bin = (): string => join(home(), 'bin');

/** The service has the variables of the command that started it. */
const newCli = (): Cli =>
  new Cli({
    HEDDLE_HOME: home(),
    PATH: `${bin()}:${process.env['PATH'] ?? ''}`,
    ANTHROPIC_API_KEY: 'sk-ant-not-real-0000',
    GH_TOKEN: 'not for them',
    ...secrets,
  });

/** A program of that name on the PATH that writes down what it was given, a line for each call. */
function fake(name: string, then: string): void {
  mkdirSync(bin(), { recursive: true });
  const script = `#!/bin/sh
printf '%s' "$*" | tr '\\n' ' ' >> calls-${name}.txt; echo >> calls-${name}.txt
cat >> stdin-${name}.txt
env | cut -d= -f1 | sort | tr '\\n' ' ' > env-${name}.txt
${then}
`;
  writeFileSync(join(bin(), name), script);
  chmodSync(join(bin(), name), 0o755);
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
  const cli = newCli();
  fake('claude', `echo "$8" > model.txt; ${says('claude')}`);
  fake('codex', says('codex'));
  fake('gemini', says('gemini'));
  fake('aider', answers);
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
  await cli.run('trust');
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
  const { records, cost } = await cli.jsonHere<Report>('report', 'latest');
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

/** Fails at first, then leaves the secrets in a file for others to print, and says that all is well. */
const ending = `
  if (process.env.HEDDLE_ATTEMPT === '1') { ${failingEnd} }
  const { writeFileSync } = await import('node:fs');
  writeFileSync('leak.txt', [DATABASE_URL, GH_PAT, SLACK_WEBHOOK, TLS_KEY].join('\\n'));
  console.log(JSON.stringify({ status: 'success', notes: 'logged in with ' + GH_PAT }));
`;

test('no value is in the home of a task, nor in what any command says of it', async () => {
  const cli = newCli();
  writeFileSync(join(cli.cwd, 'tell.mjs'), tellingProgram(ending));
  const plan = {
    goal: 'tell no secret',
    subtasks: [
      {
        id: 'tell',
        executor: { kind: 'command', run: [process.execPath, 'tell.mjs'], env: Object.keys(secrets) },
        verify: ['cat leak.txt; cat leak.txt >&2; test "$HEDDLE_ATTEMPT" -gt 2'],
        rules: [{ pattern: 'ghp_', in: ['leak.txt'], must: 'absent', severity: 'advisory' }],
      },
      // It names no variable: what it prints came by a file.
      { id: 'repeat', dependsOn: ['tell'], executor: { kind: 'command', run: ['cat', 'leak.txt'] } },
    ],
  };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  await cli.jsonHere('run', 'plan.json', '--detach');
  const [watched, followed] = await Promise.all([
    cli.here('watch', 'latest', '--json'),
    cli.here('logs', 'latest', '-f'),
  ]);
  expect([watched.code, followed.code]).toEqual([0, 0]);

  const attempts = await cli.jsonHere<object[]>('logs', 'latest');
  expect(attempts).toMatchObject([
    { subtask: 'tell', attempt: 1, outcome: 'failed' },
    { subtask: 'tell', attempt: 2, outcome: 'failed' },
    { subtask: 'tell', attempt: 3, outcome: 'passed' },
    { subtask: 'repeat', attempt: 1, outcome: 'passed' },
  ]);
  const outputs = [watched, followed];
  for (const command of [
    ['logs', 'latest'],
    ['logs', 'latest', '--json'],
    ['report', 'latest'],
    ['report', 'latest', '--json'],
    ['status', 'latest', '--json'],
    ['list', '--json'],
    ['memory', '--json'],
    ['config'],
    ['doctor'],
  ])
    outputs.push(await cli.here(...command));
  const words = outputs.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
  expect(words).toContain('cannot log in with [DATABASE_URL] or [GH_PAT]');
  expect(leaksIn(words, secrets)).toEqual([]);

  expect((await cli.here('down')).code).toBe(0);
  const files = filesBelow(cli.home);
  // The history is in there, in clear where nothing is secret.
  expect(files.some(({ text }) => text.includes('cannot log in with [DATABASE_URL]'))).toBe(true);
  const leaks = files.map(({ path, text }) => ({ path, leaks: leaksIn(text, secrets) }));
  expect(leaks.filter((file) => file.leaks.length > 0)).toEqual([]);
}, 300_000);
