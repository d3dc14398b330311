// [limits], [prompts], [logging] and [redact] of heddle.toml through the command line: shown and checked. How a task obeys them is in trust.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Cli } from '../../support/cli.ts';

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
    const show = (name: string) =>
      values.filter(({ key }) => key.startsWith(`${name}.`)).map(({ key, value, from }) => [key, value, from]);
    expect(show('limits')).toEqual([
      ['limits.triesPerTier', 2, 'environment'],
      ['limits.attemptsPerAnswer', 3, 'default'],
      ['limits.timeoutGrowthCeiling', '30m', 'default'],
      ['limits.environmentWait.first', '2s', 'file'],
      ['limits.environmentWait.factor', 3, 'default'],
      ['limits.environmentWait.most', '5m', 'default'],
      ['limits.environmentWait.times', 5, 'default'],
      ['limits.cancelGrace', '5s', 'flag'],
      ['limits.goalCostUsd', 5, 'default'],
      ['limits.proceedAt', 0.8, 'default'],
      ['limits.askAt', 0.5, 'default'],
      ['limits.failBelow', 0.2, 'default'],
      ['limits.confirmTries', 2, 'default'],
      ['limits.remediationTries', 3, 'default'],
      ['limits.remediationWait', '2s', 'default'],
      ['limits.remediationTtl', '6h', 'default'],
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
    expect(show('context')).toEqual([['context.mode', 'off', 'flag']]);
    expect(show('logging')).toEqual([
      ['logging.level', 'warn', 'environment'],
      ['logging.format', 'text', 'file'],
      ['logging.retention', '30d', 'default'],
      ['logging.retryRetention', '7d', 'default'],
    ]);
    expect(show('redact')).toEqual([['redact.harmless', ['REGION'], 'file']]);
  });

  test('lists numbers that have a key elsewhere too, and of a table that a file begins what it leaves open', async () => {
    const cli = new Cli();
    write(cli, '[planning]\ntries = 5\n[verification]\nscanFiles = 3\n[recovery]\ntimeout = { wait = "4s" }\n');
    const { values } = await cli.jsonHere<Shown>('config');
    const show = (name: string) =>
      values.filter(({ key }) => key.startsWith(`${name}.`)).map(({ key, value, from }) => [key, value, from]);
    expect(['executors.agent', 'approval', 'budget', 'recovery', 'planning'].flatMap(show)).toEqual([
      ['executors.agent.kind', 'agent', 'default'],
      ['executors.agent.iterations', 20, 'default'],
      ['executors.agent.timeout', '20m', 'default'],
      ['approval.mode', 'off', 'default'],
      ['approval.at', 0.8, 'default'],
      ['approval.onTimeout', 'wait', 'default'],
      ['approval.timeout', '10m', 'default'],
      ['budget.replans', 3, 'default'],
      ['recovery.timeout.wait', '4s', 'file'],
      ['recovery.timeout.timeoutFactor', 1.5, 'default'],
      ['recovery.empty-output.wait', '1200ms', 'default'],
      ['planning.degraded', 'allow', 'default'],
      ['planning.tries', 5, 'file'],
    ]);
    expect(show('verification')).toContainEqual(['verification.scanFiles', 3, 'file']);
    expect(show('verification')).toContainEqual(['verification.scanBytes', 2_500_000, 'default']);
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
    const { code, stderr } = await cli.here('config', '--json');
    const { error } = JSON.parse(stderr) as { error: { code: string; problems: Record<string, string>[] } };
    expect([code, error.code]).toEqual([2, 'CONFIG_INVALID']);
    const problems = error.problems.map(({ code: what = '', where = '', message = '' }) => [
      what.replace('CONFIG_', ''),
      where.replace(`${cli.cwd}/heddle.toml:`, ''),
      message,
    ]);
    expect(problems).toEqual([
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
    const { values } = await cli.jsonHere<Shown>('config', '-c', 'prompts.judge.role={replace="You are strict."}');
    expect(values.filter(({ key }) => key.startsWith('prompts.'))).toMatchObject([
      { key: 'prompts.executor.constraints', value: 'Touch nothing in vendor/.', from: 'file', trusted: false },
      { key: 'prompts.judge.role.replace', value: 'You are strict.', from: 'flag' },
    ]);
    const refused = async (...args: string[]) => {
      const { code, stderr } = await cli.here(...args, '--json');
      return [code, (JSON.parse(stderr) as { error: { code: string; message: string } }).error] as const;
    };
    expect(await refused('run', 'plan.json')).toMatchObject([
      2,
      {
        code: 'CONFIG_NOT_TRUSTED',
        message: expect.stringContaining('it sets `prompts.executor.constraints`') as unknown,
      },
    ]);
    write(cli, '[prompts]\njudge.output = { replace = "Answer in verse." }\n');
    expect(await refused('run', 'plan.json')).toMatchObject([2, { code: 'CONFIG_PROMPT_FIXED' }]);
  });

  test('says that a flag comes too late for the log of processes', async () => {
    const { code, stderr } = await new Cli().here('config', '-c', 'logging.level=debug');
    expect(code).toBe(2);
    expect(stderr).toContain('CONFIG_FLAG_INVALID');
  });
});
