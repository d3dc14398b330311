// [limits], [prompts], [logging] and [redact] of heddle.toml through the command line: shown, checked, and obeyed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AttemptView } from '../../../client/index.ts';
import { Cli } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';

interface Shown {
  values: { key: string; value: unknown; from: string; place: string }[];
}

const write = (cli: Cli, config: string): void => writeFileSync(join(cli.cwd, 'heddle.toml'), config);

describe('heddle config', () => {
  test('lists every limit with its default, and what a file, a variable and a flag say', async () => {
    const cli = new Cli({
      HEDDLE_LIMITS_TRIES_PER_TIER: '2',
      HEDDLE_LIMITS_CONTEXT_SOFT: '0.8',
      HEDDLE_LOG_LEVEL: 'warn',
    });
    write(
      cli,
      '[limits]\nenvironmentWait = { first = "2s" }\n[logging]\nformat = "text"\n[redact]\nharmless = ["REGION"]\n',
    );
    const { values } = await cli.json<Shown>('config', '-c', 'limits.cancelGrace=5s', '-c', 'context.mode=off');
    const said = (name: string) =>
      values.filter(({ key }) => key.startsWith(`${name}.`)).map(({ key, value, from }) => [key, value, from]);
    expect(said('limits')).toEqual([
      ['limits.triesPerTier', 2, 'environment'],
      ['limits.attemptsPerAnswer', 3, 'default'],
      ['limits.timeoutGrowthCeiling', '30m', 'default'],
      ['limits.environmentWait.first', '2s', 'file'],
      ['limits.environmentWait.factor', 3, 'default'],
      ['limits.environmentWait.most', '5m', 'default'],
      ['limits.environmentWait.times', 5, 'default'],
      ['limits.cancelGrace', '5s', 'flag'],
      ['limits.proceedAt', 0.8, 'default'],
      ['limits.askAt', 0.5, 'default'],
      ['limits.failBelow', 0.2, 'default'],
      ['limits.retryContext', 6_000, 'default'],
      ['limits.dependencyResults', 8_000, 'default'],
      ['limits.dependencyResult', 2_000, 'default'],
      ['limits.contextSoft', 0.8, 'environment'],
      ['limits.contextHard', 1.02, 'default'],
      ['limits.contextTarget', 0.6, 'default'],
      ['limits.contextFloor', 0.5, 'default'],
      ['limits.contextGain', 0.02, 'default'],
      ['limits.contextPause', 3, 'default'],
      ['limits.contextSummaries', 20, 'default'],
    ]);
    expect(said('context')).toEqual([['context.mode', 'off', 'flag']]);
    expect(said('logging')).toEqual([
      ['logging.level', 'warn', 'environment'],
      ['logging.format', 'text', 'file'],
      ['logging.retention', '30d', 'default'],
      ['logging.retryRetention', '7d', 'default'],
    ]);
    expect(said('redact')).toEqual([['redact.harmless', ['REGION'], 'file']]);
  });

  test('refuses what is not a key or not a value, each with its place', async () => {
    const cli = new Cli();
    write(
      cli,
      `[limits]
triesPerTeir = 2
retryContext = 10
cancelGrace = 30
environmentWait = { frist = "1s" }
maxAttempts = 3
contextSoft = 3
[context]
mode = "on"
[logging]
level = "loud"
format = "xml"
retention = "long"
[redact]
harmful = []
harmless = ["A=secret"]
`,
    );
    const { code, stderr } = await cli.run('config', '--json');
    const { error } = JSON.parse(stderr) as { error: { code: string; problems: Record<string, string>[] } };
    expect([code, error.code]).toEqual([2, 'CONFIG_INVALID']);
    const found = error.problems.map(({ code: what = '', where = '', message = '' }) => [
      what.replace('CONFIG_', ''),
      where.replace(`${cli.cwd}/heddle.toml:`, ''),
      message,
    ]);
    expect(found).toEqual([
      [
        'UNKNOWN_KEY',
        '2:1 (limits.triesPerTeir)',
        '`triesPerTeir` is not a key of `limits`; did you mean `triesPerTier`?',
      ],
      ['WRONG_TYPE', '3:16 (limits.retryContext)', expect.stringContaining('a whole number from 5000 to 100000')],
      ['WRONG_TYPE', '4:15 (limits.cancelGrace)', expect.stringContaining('a duration such as')],
      ['UNKNOWN_KEY', '5:21 (limits.environmentWait.frist)', expect.stringContaining('did you mean `first`?')],
      ['UNKNOWN_KEY', '6:1 (limits.maxAttempts)', '`maxAttempts` is not a key of `limits`, but of the config.'],
      ['WRONG_TYPE', '7:15 (limits.contextSoft)', expect.stringContaining('from 0.1 to 1')],
      ['WRONG_TYPE', '9:8 (context.mode)', expect.stringContaining('`tiered` or `off`')],
      ['WRONG_TYPE', '11:9 (logging.level)', expect.stringContaining('`trace`, `debug`, `info`')],
      ['WRONG_TYPE', '12:10 (logging.format)', expect.stringContaining('`json` or `text`')],
      ['WRONG_TYPE', '13:13 (logging.retention)', expect.stringContaining('a duration such as')],
      ['UNKNOWN_KEY', '15:1 (redact.harmful)', expect.stringContaining('not a key of `redact`')],
      ['WRONG_TYPE', '16:13 (redact.harmless[0])', expect.stringContaining('without its value')],
    ]);
    expect(stderr).not.toContain('secret');
  });

  test('shows what models are told otherwise; what a project says of it needs trust, and what we read is not replaced', async () => {
    const cli = new Cli();
    writeFileSync(
      join(cli.cwd, 'plan.json'),
      JSON.stringify({ goal: 'g', subtasks: [{ id: 'a', executor: 'agent' }] }),
    );
    write(cli, '[prompts]\nexecutor.constraints = "Touch nothing in vendor/."\n');
    const { values } = await cli.json<Shown>('config', '-c', 'prompts.judge.role={replace="You are strict."}');
    expect(values.filter(({ key }) => key.startsWith('prompts.'))).toMatchObject([
      { key: 'prompts.executor.constraints', value: 'Touch nothing in vendor/.', from: 'file', trusted: false },
      { key: 'prompts.judge.role.replace', value: 'You are strict.', from: 'flag' },
    ]);
    const refused = async (...args: string[]) => {
      const { code, stderr } = await cli.run(...args, '--json');
      return [code, (JSON.parse(stderr) as { error: { code: string; message: string } }).error] as const;
    };
    expect(await refused('run', 'plan.json')).toMatchObject([
      2,
      { code: 'CONFIG_NOT_TRUSTED', message: expect.stringContaining('it sets `prompts`') as unknown },
    ]);
    write(cli, '[prompts]\njudge.output = { replace = "Answer in verse." }\n');
    expect(await refused('run', 'plan.json')).toMatchObject([2, { code: 'CONFIG_PROMPT_FIXED' }]);
  });

  test('says that a flag comes too late for the log of processes', async () => {
    const { code, stderr } = await new Cli().run('config', '-c', 'logging.level=debug');
    expect(code).toBe(2);
    expect(stderr).toContain('CONFIG_FLAG_INVALID');
  });
});

test('a task obeys its limits and shows what is harmless; the retry log tells how it went', async () => {
  const cli = new Cli({ REGION: 'eu-central-1', TOKEN: 'a-secret-of-mine', HEDDLE_LOG_FORMAT: 'text' });
  write(cli, '[limits]\ntriesPerTier = 1\nattemptsPerAnswer = 1\n[redact]\nharmless = ["REGION"]\n');
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
  const { records } = await cli.json<{ records: AttemptView[] }>('report', 'r1');
  const tiers = records.filter(({ subtask }) => subtask === 'work').map(({ rung, tier }) => `${rung}/${tier}`);
  expect(tiers).toEqual(['1/1', '3/2', '4/3']);
  await cli.json('decide', 'r1', 'work-1', 'retry');
  expect((await cli.run('watch', 'r1', '--exit-on-decision')).code).toBe(3);
  await cli.json('decide', 'r1', 'work-2', 'skip');
  expect((await cli.run('watch', 'r1')).code).toBe(0);

  const { stdout: log } = await cli.run('logs', 'r1', 'work');
  expect(log).toContain('eu-central-1');
  const [text = '', json = ''] = ['.log', '.jsonl'].map((end) => {
    const name = readdirSync(join(cli.home, 'logs')).find((file) => file.startsWith('retry-') && file.endsWith(end));
    return join(cli.home, 'logs', name ?? `no retry log ${end}`);
  });
  const entries = linesOf(json).map((line) => JSON.parse(line) as Record<string, unknown>);
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
  const lines = linesOf(text).map((line) => line.replace(/^\[[^\]]*\] /, ''));
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
