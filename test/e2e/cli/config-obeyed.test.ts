// The config as tasks of the local service obey it: what the agent programs of the presets are given, limits, logs, and what is harmless.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptView, Report } from '../../../client/index.ts';
import { Cli, useHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';

const home = useHome();
const bin = (): string => join(home(), 'bin');

/** The service has the variables of the command that started it. */
const newCli = (): Cli =>
  new Cli({
    HEDDLE_HOME: home(),
    HEDDLE_LOG_FORMAT: 'text',
    PATH: `${bin()}:${process.env['PATH'] ?? ''}`,
    ANTHROPIC_API_KEY: 'sk-ant-not-real-0000',
    GH_TOKEN: 'not for them',
    REGION: 'eu-central-1',
    TOKEN: 'a-secret-of-mine',
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

test('a task obeys its limits and shows what is harmless; the retry log tells how it went', async () => {
  const cli = newCli();
  writeFileSync(
    join(cli.cwd, 'heddle.toml'),
    '[limits]\ntriesPerTier = 1\nattemptsPerAnswer = 1\n[redact]\nharmless = ["REGION"]\n',
  );
  const sh = 'echo "$REGION"; echo "attempt $HEDDLE_ATTEMPT of word-$HEDDLE_TIER broke with $TOKEN" >&2; exit 1';
  const executor = { kind: 'command', run: ['sh', '-c', sh], env: ['REGION', 'TOKEN'] };
  const quick = { kind: 'command', run: ['echo', 'done'] };
  const subtasks = [
    { id: 'fine', executor: quick },
    { id: 'work', executor },
  ];
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'g', subtasks }));
  expect((await cli.run('run', 'plan.json', '--id', 'r1', '--exit-on-decision')).code).toBe(3);
  // One try at a tier instead of the feedback rung: 1, 2, then the highest with thinking.
  const { records } = await cli.jsonHere<{ records: AttemptView[] }>('report', 'r1');
  const tiers = records.filter(({ subtask }) => subtask === 'work').map(({ rung, tier }) => `${rung}/${tier}`);
  expect(tiers).toEqual(['1/1', '3/2', '4/3']);
  await cli.jsonHere('decide', 'r1', 'work-1', 'retry');
  expect((await cli.here('watch', 'r1', '--exit-on-decision')).code).toBe(3);
  await cli.jsonHere('decide', 'r1', 'work-2', 'skip');
  expect((await cli.here('watch', 'r1')).code).toBe(0);

  const { stdout: log } = await cli.here('logs', 'r1', 'work');
  expect(log).toContain('eu-central-1');
  const [text = '', json = ''] = ['.log', '.jsonl'].map((end) => {
    const name = readdirSync(join(cli.home, 'logs')).find((file) => file.startsWith('retry-') && file.endsWith(end));
    return join(cli.home, 'logs', name ?? `no retry log ${end}`);
  });
  const entries = linesOf(json)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ task }) => task === 'r1');
  expect(
    entries.map(({ event, attempt, status }) => [event, attempt, status].filter((part) => part !== undefined)),
  ).toEqual([
    ['attempt', 1, 'failed'],
    ['feedback_injected', 2],
    ['attempt', 2, 'failed'],
    ['feedback_injected', 3],
    ['attempt', 3, 'failed'],
    ['escalated'],
    ['user_response'],
    ['feedback_injected', 4],
    ['attempt', 4, 'failed'],
    ['escalated'],
    ['user_response'],
    ['resolved'],
  ]);
  expect(entries[0]).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
    task_id: 'r1:work',
    task: 'r1',
    subtask: 'work',
    event: 'attempt',
    attempt: 1,
    status: 'failed',
    failure_type: 'tool-failed',
    error: expect.stringContaining('word-1 broke with [TOKEN]') as unknown,
    suggested_fix: 'Read the error, remove its cause, and do not repeat the same approach.',
    duration_ms: expect.any(Number) as unknown,
  });
  expect(entries[5]).toMatchObject({ attempts: 3, reason: 'ladder-exhausted' });
  expect(entries[6]).toMatchObject({ response: 'retry' });
  expect(entries.at(-1)).toMatchObject({ resolution: 'skipped', total_attempts: 4 });
  const lines = linesOf(text)
    .map((line) => line.replace(/^\[[^\]]*\] /, ''))
    .filter((line) => line.startsWith('[RETRY] [r1:'));
  expect(lines.slice(0, 4)).toEqual([
    '[RETRY] [r1:work] attempt=1 status=failed type=tool-failed',
    expect.stringMatching(/^\[RETRY\] \[r1:work\] error=".*broke with \[TOKEN\]/) as unknown,
    expect.stringMatching(/^\[RETRY\] \[r1:work\] suggested_fix="Read the error/) as unknown,
    '[RETRY] [r1:work] injecting_feedback attempt=2',
  ]);
  expect(lines.slice(-2)).toEqual([
    '[RETRY] [r1:work] user_response="skip"',
    '[RETRY] [r1:work] resolved status=skipped',
  ]);

  const service = readdirSync(join(cli.home, 'logs')).find((file) => file.startsWith('service-')) ?? '';
  const told = readFileSync(join(cli.home, 'logs', service), 'utf8');
  expect(told).toMatch(/^\S+Z INFO .*task=r1 /m);
  expect(told + readFileSync(json, 'utf8') + readFileSync(text, 'utf8')).not.toContain('a-secret-of-mine');
}, 120_000);
