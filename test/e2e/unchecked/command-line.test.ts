// Results that nothing checked, as a user meets them on the command line: the tree, the card, status, report, logs and their JSON.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptView, Report, StatusView } from '../../../client/index.ts';
import { Cli, useSharedHome, type Finished } from '../../support/cli.ts';

const home = useSharedHome();
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });

type Given = { sh?: string } & Record<string, unknown>;

/** Runs a plan to its end; subtasks by name. A person is never asked: whatever fails, fails. */
function run(cli: Cli, id: string, subtasks: Record<string, Given>, rest: object = {}): Promise<Finished> {
  const list = Object.entries(subtasks).map(([name, { sh, ...others }]) => ({
    id: name,
    description: `Do ${name}`,
    ...(sh === undefined ? {} : { executor: { kind: 'command', run: ['sh', '-c', sh] } }),
    ...others,
  }));
  const plan = { goal: 'Try it', ladder: [{ tier: 'assigned' }], maxParallelSubtasks: 1, ...rest, subtasks: list };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  return cli.here('run', 'plan.json', '--id', id);
}

const verdicts = ({ subtasks }: StatusView): Record<string, string | null> =>
  Object.fromEntries(subtasks.map(({ id, verdict }) => [id, verdict]));

const recordsOf = (report: Report, subtask: string): AttemptView[] =>
  report.records.filter((record) => record.subtask === subtask);

test('a program that prints nothing and changes files is done, unchecked, in everything that people and programs read', async () => {
  const cli = newCli();
  const ran = await run(cli, 'silent', {
    silent: { sh: 'echo hi > hi.txt' },
    said: { sh: 'echo done' },
    checked: { sh: 'echo x > x.txt', deliverables: ['x.txt'] },
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/○ Completed in .*: 3 subtasks done, 2 of 3 subtasks unchecked\n/);
  expect(ran.stdout).toMatch(/○ silent +unchecked: /);
  expect(ran.stdout).toMatch(/✓ checked +/);
  expect(ran.stdout).toContain('Nothing checked the result of silent.');
  expect(ran.stdout).not.toContain('passed its checks');

  const status = await cli.jsonHere<StatusView>('status', 'silent');
  expect(verdicts(status)).toEqual({ silent: 'unchecked', said: 'unchecked', checked: 'pass' });
  expect(status.summary).toBe('3 subtasks done, 2 of 3 subtasks unchecked');
  const shown = (await cli.here('status', 'silent')).stdout;
  expect(shown).toMatch(/○ 3 subtasks done, 2 of 3 subtasks unchecked/);
  expect(shown).toMatch(/○ +silent +completed .*unchecked/);
  expect(shown).toMatch(/✓ +checked +completed/);

  const report = await cli.jsonHere<Report>('report', 'silent');
  expect(report.attempts).toMatchObject({ total: 3, passed: 1, unchecked: 2, failed: 0, tried: 1, firstTryRate: 1 });
  expect(report.unchecked).toEqual(['silent', 'said']);
  expect(recordsOf(report, 'silent')).toMatchObject([{ attempt: 1, verdict: 'unchecked' }]);
  const [unsure, sure] = ['silent', 'checked'].map((id) => recordsOf(report, id)[0]?.confidence ?? 1);
  expect(unsure).toBeLessThan(sure ?? 0);
  expect((await cli.here('report', 'silent')).stdout).toMatch(/silent.*done, unchecked/);

  expect((await cli.here('logs', 'silent')).stdout).toContain('==> silent, attempt 1 (unchecked) <==');
  expect(await cli.jsonHere('logs', 'silent', 'said')).toMatchObject([{ subtask: 'said', verdict: 'unchecked' }]);
}, 120_000);

test('a task of unchecked results alone has no rate of first tries', async () => {
  const cli = newCli();
  expect((await run(cli, 'none', { only: { sh: 'echo done' } })).code).toBe(0);
  const report = await cli.jsonHere<Report>('report', 'none');
  expect(report.attempts).toMatchObject({ tried: 0, firstTry: 0, firstTryRate: 0, passed: 0, unchecked: 1 });
  expect((await cli.here('report', 'none')).stdout).not.toContain('100 %');
}, 120_000);

test.each([
  ['ignored', 'mkdir -p dist && echo x > dist/a.js'],
  ['removed', 'rm old.txt'],
  ['committed', 'git -c user.name=a -c user.email=a@b commit -q -m x --allow-empty'],
])(
  'a change counts where no snapshot looks: %s',
  async (id, sh) => {
    const cli = newCli();
    writeFileSync(join(cli.cwd, '.gitignore'), 'dist\n');
    writeFileSync(join(cli.cwd, 'old.txt'), 'x');
    execFileSync('git', ['init', '-q'], { cwd: cli.cwd });
    expect((await run(cli, `change-${id}`, { a: { sh } })).code).toBe(0);
    expect(verdicts(await cli.jsonHere('status', `change-${id}`))).toEqual({ a: 'unchecked' });
  },
  120_000,
);

test('neither output nor change is an empty output, and nothing speaks of models where none works', async () => {
  const cli = newCli();
  mkdirSync(join(cli.cwd, 'sub'));
  const ladder = [1, 2, 3].map((tier) => ({ tier, ...(tier === 1 ? {} : { feedback: true }) }));
  const ran = await run(cli, 'nothing', { idle: { sh: 'cat > /dev/null; exit 0' } }, { ladder });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('trying again at tier 2');
  expect(ran.stdout).toContain('trying again at tier 3');
  expect(ran.stdout).not.toMatch(/\bmodel/i);
  const report = await cli.jsonHere<Report>('report', 'nothing');
  expect(recordsOf(report, 'idle').map(({ type, tier }) => [type, tier])).toEqual([
    ['empty-output', 1],
    ['empty-output', 2],
    ['empty-output', 3],
  ]);
  expect(recordsOf(report, 'idle')[0]?.summary).toContain('no file of the workspace changed');
  expect((await cli.here('report', 'nothing')).stdout).not.toMatch(/stronger|strongest/);
}, 120_000);

test('a program that reports failure in any spelling has failed', async () => {
  const cli = newCli();
  const files = {
    fenced: 'It did not work.\n```json\n{"status":"failed","notes":"no"}\n```\n',
    capitals: '{"status":"Failed","notes":"no"}\n',
    wide: 'Report:\n{\n  "status": "failed",\n  "notes": "no"\n}\n',
    followed: '{"status":"blocked","notes":"no"}\nBye.\n',
    fine: 'text\n{"status":"Success","notes":"yes"}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cli.cwd, `${name}.txt`), text);
  const ran = await run(
    cli,
    'spelled',
    Object.fromEntries(Object.keys(files).map((name) => [name, { sh: `cat ${name}.txt` }])),
  );
  expect(ran.code).toBe(1);
  const status = await cli.jsonHere<StatusView>('status', 'spelled');
  expect(Object.fromEntries(status.subtasks.map(({ id, state }) => [id, state]))).toEqual({
    fenced: 'failed',
    capitals: 'failed',
    wide: 'failed',
    followed: 'failed',
    fine: 'completed',
  });
}, 120_000);

test('a partial result that nothing checked is unchecked, and said to be partial', async () => {
  const cli = newCli();
  const partial = `echo '{"status":"partial","notes":"two of three"}'`;
  const ran = await run(cli, 'partial', {
    loose: { sh: partial, allowPartial: true },
    looked: { sh: partial, allowPartial: true, verify: ['true'] },
  });
  expect(ran.code).toBe(0);
  const status = await cli.jsonHere<StatusView>('status', 'partial');
  expect(verdicts(status)).toEqual({ loose: 'unchecked', looked: 'partial-verified' });
  expect(status.subtasks[0]).toMatchObject({ partial: true });
  expect((await cli.here('status', 'partial')).stdout).toContain('unchecked, only in part');
  const report = await cli.jsonHere<Report>('report', 'partial');
  expect(report).toMatchObject({ partial: ['loose', 'looked'], unchecked: ['loose'] });
  expect((await cli.here('report', 'partial')).stdout).toContain('done only in part, unchecked');
}, 120_000);

test('a copy of the workspace is looked at as the workspace is', async () => {
  const cli = newCli();
  const isolated = { isolation: 'worktree' };
  writeFileSync(join(cli.cwd, 'a.txt'), 'a');
  const ran = await run(cli, 'copies', {
    writes: { sh: 'echo hi > hi.txt', ...isolated },
    checked: { sh: 'echo x > x.txt', deliverables: ['x.txt'], ...isolated },
    idle: { sh: 'cat > /dev/null', ...isolated },
  });
  expect(ran.code).toBe(1);
  const status = await cli.jsonHere<StatusView>('status', 'copies');
  expect(verdicts(status)).toEqual({ writes: 'unchecked', checked: 'pass', idle: null });
  expect(readFileSync(join(cli.cwd, 'hi.txt'), 'utf8')).toBe('hi\n');
  const report = await cli.jsonHere<Report>('report', 'copies');
  expect(recordsOf(report, 'idle')).toMatchObject([{ type: 'empty-output' }]);
  expect(report.attempts).toMatchObject({ unchecked: 1, passed: 1, failed: 1 });
}, 120_000);

const script = (entries: object[]): string => JSON.stringify(entries);
const finish = (input: object): object => ({ calls: [{ tool: 'finish', input }] });

function useModel(cli: Cli, entries: object[]): void {
  const provider = '[providers.demo]\nkind = "scripted"\nscript = "script.yaml"\n';
  writeFileSync(join(cli.cwd, 'heddle.toml'), `${provider}[models.demo]\nprovider = "demo"\nid = "demo"\n`);
  writeFileSync(join(cli.cwd, 'script.yaml'), script(entries));
}

test('an agent that says it is done is unchecked, and its record tells which of its tool calls failed', async () => {
  const cli = newCli();
  useModel(cli, [
    { when: { turn: 1 }, reply: { calls: [{ tool: 'read_file', input: { path: 'missing.txt' } }] } },
    { when: { turn: 2 }, reply: { calls: [{ tool: 'read_file', input: { path: 'gone.txt' } }] } },
    { when: { turn: 3 }, reply: { calls: [{ tool: 'list_folder', input: {} }] } },
    { when: { turn: 4 }, reply: finish({ status: 'success', notes: 'All done.', deliverablesTouched: [] }) },
  ]);
  const ran = await run(cli, 'agent', { work: { executor: 'agent' } });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain('1 of 1 subtask unchecked');
  expect(ran.stdout).not.toContain('✓');
  const report = await cli.jsonHere<Report>('report', 'agent');
  const [record] = recordsOf(report, 'work');
  expect(record).toMatchObject({
    verdict: 'unchecked',
    toolCalls: 3,
    toolFailures: [{ tool: 'read_file', calls: 2 }],
  });
  expect(record?.toolFailures?.[0]?.last).toContain('gone.txt');
  const shown = (await cli.here('report', 'agent')).stdout;
  expect(shown).toContain('Tool calls that failed');
  expect(shown).toContain('| work | 1 | read\\_file | 2 | There is nothing at');
}, 120_000);

test('a judge that cannot be read leaves a result without checks unchecked, and one that can is its check', async () => {
  const cli = newCli();
  const done = finish({ status: 'success', notes: 'All done.', deliverablesTouched: [] });
  const half = finish({ status: 'partial', notes: 'One of two.', deliverablesTouched: [] });
  useModel(cli, [
    { when: { role: 'executor', subtask: 'half' }, times: 10, reply: half },
    { when: { role: 'executor' }, times: 10, reply: done },
    { when: { role: 'verifier', subtask: 'mute' }, times: 10, reply: { text: 'Looks fine to me, well done.' } },
    {
      when: { role: 'verifier' },
      times: 10,
      reply: { text: '{"passed": true, "confidence": 0.9, "issues": [], "feedback": ""}' },
    },
  ]);
  const judged = { executor: 'agent', verification: 2, criteria: ['it works'] };
  const ran = await run(cli, 'judged', { mute: judged, heard: judged, half: { ...judged, allowPartial: true } });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain('1 of 3 subtasks unchecked');
  expect(ran.stdout).not.toContain('passed its checks');
  expect(verdicts(await cli.jsonHere('status', 'judged'))).toEqual({
    mute: 'unchecked',
    heard: 'pass',
    half: 'partial-verified',
  });
}, 120_000);
