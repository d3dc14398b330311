// A goal with nothing but an agent program that is logged in: it plans, works and judges. A script stands for the program.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Report, StatusView } from '../../../client/index.ts';
import { cliPrograms, type CliProgram } from '../../../domain/types/llm.ts';
import { Cli, useHome } from '../../support/cli.ts';
import { installStandIn, logIn } from '../../support/clis/stand-in.ts';

const goal = 'Make the tests pass';
const minute = 60_000;
const home = useHome();

// The service keeps the PATH of the command that started it, so all programs are in one folder.
const bin = mkdtempSync(join(tmpdir(), 'heddle-stand-ins-'));
afterAll(() => rmSync(bin, { recursive: true, force: true }));
for (const program of cliPrograms) installStandIn(bin, program);

/** An npm project whose test fails, and a user who is logged in to one program. */
function machine(program?: CliProgram) {
  rmSync(join(bin, 'calls.jsonl'), { force: true });
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1', PATH: path });
  const user = join(cli.cwd, '..', 'user');
  cli.env['HOME'] = user;
  if (program !== undefined) logIn(user, program);
  writeFileSync(join(cli.cwd, 'package.json'), JSON.stringify({ name: 'sum', scripts: { test: 'node test.cjs' } }));
  writeFileSync(join(cli.cwd, 'sum.cjs'), 'module.exports = (a, b) => a - b;\n');
  writeFileSync(join(cli.cwd, 'test.cjs'), "if (require('./sum.cjs')(2, 2) !== 4) throw new Error('wrong sum');\n");
  return cli;
}

/** The programs answer as if their login were gone, until the test ends. */
function refuse(): void {
  const mark = join(bin, 'refuses');
  writeFileSync(mark, '');
  onTestFinished(() => rmSync(mark));
}

interface Call {
  role: string;
  cwd: string;
  argv: string[];
  files: string[];
}

const calls = (): Call[] =>
  existsSync(join(bin, 'calls.jsonl'))
    ? readFileSync(join(bin, 'calls.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Call)
    : [];

test.each([
  ['claude', 'Using the agent CLI claude with opus, sonnet and haiku, as it is logged in here', true],
  ['codex', 'Using the agent CLI codex, as it is logged in here', false],
] as const)(
  '%s plans a goal, works and judges, and answers as a model from an empty folder',
  async (program, chosen, reportsCost) => {
    const cli = machine(program);
    const { code, stdout, stderr } = await cli.run('run', goal, '--id', `goal-${program}`, '--exit-on-decision');
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('Completed')]);
    expect(stderr.split('\n')[0]).toContain(chosen);
    expect(readFileSync(join(cli.cwd, 'sum.cjs'), 'utf8')).toContain('a + b');
    expect(calls().map(({ role }) => role)).toEqual(['planner', 'executor', 'judge', 'executor']);
    for (const { role, cwd, files } of calls()) {
      if (role === 'executor') expect(files).toContain('sum.cjs');
      else expect([cwd.startsWith(cli.cwd), files]).toEqual([false, []]);
    }
    const { records, cost } = await cli.json<Report>('report', `goal-${program}`);
    expect(records).toMatchObject([
      { subtask: 'inspect' },
      { subtask: 'fix', verdict: 'pass', verify: [{ command: 'npm test', exit: 0 }] },
    ]);
    // Two attempts of a program without a price, and the requests of a model without one.
    const unknown = { unknownAttempts: 2, unpricedModels: ['codex'] };
    const reported = { usd: 0.04, unknownAttempts: 0, unpricedModels: [] };
    expect(cost).toMatchObject({ tokens: 4_000, ...(reportsCost ? reported : unknown) });
  },
  2 * minute,
);

test(
  'a program whose login is gone asks a person about it, while it plans',
  async () => {
    const cli = machine('claude');
    refuse();
    const { code } = await cli.run('run', goal, '--id', 'refused', '--exit-on-decision');
    const { decisions } = await cli.jsonHere<StatusView>('status', 'refused');
    expect(code).toBe(3);
    expect(decisions).toMatchObject([
      {
        kind: 'escalation',
        subtask: null,
        problem: expect.stringContaining(
          'claude: Invalid API key (it exited with code 1); log in with `claude auth login` where the worker runs',
        ) as string,
        recommendation: 'provide-credentials',
      },
    ]);
    expect(calls().map(({ role }) => role)).toEqual(['planner']);
    await cli.run('cancel', 'refused');
  },
  2 * minute,
);

test('an installed program without a login is named with the command that logs in, and nothing is started', async () => {
  const cli = machine();
  const { code, stderr } = await cli.here('run', goal, '--json');
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  expect([code, error]).toMatchObject([
    2,
    {
      code: 'MODEL_NOT_CONFIGURED',
      found: expect.arrayContaining(['codex (not logged in: `codex login`)']) as string[],
    },
  ]);
  expect(error['message']).toContain('no agent CLI (claude, codex, gemini and opencode) is installed and logged in');
  expect(calls()).toEqual([]);
});

test('models shows the program for each role and says whether it answers', async () => {
  const cli = machine('opencode');
  const { stdout } = await cli.here('models');
  expect(stdout).toContain('executor: opencode');
  expect(stdout).toMatch(/\nON THIS MACHINE\nclaude \(not logged in: `claude auth login`\)\n[^]*\nopencode\n/);
  expect(stdout).toMatch(/opencode-anthropic-claude-opus-4-5 +3 .*reported/);
  const { models } = await cli.jsonHere<{ models: object[] }>('models', '--check');
  expect(models).toHaveLength(3);
  expect(models[0]).toMatchObject({ ok: true, tokens: 1_000, costUsd: 0.01 });
});

test('models --check says what an agent program complains about, and fails', async () => {
  const cli = machine('claude');
  refuse();
  const { code, stdout } = await cli.here('models', '--check');
  expect([code, stdout]).toEqual([1, expect.stringContaining('claude: Invalid API key')]);
});
