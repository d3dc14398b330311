// A goal on the command line: it is shown as a plan, run, and refused where nobody plans.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxItem, Report } from '../../../client/index.ts';
import { Cli, until, useSharedHome } from '../../support/cli.ts';
import { configureUnreachable, finishes, goodPlan, playModels, plans, writes } from './support.ts';

const home = useSharedHome();
const goal = 'Write the notes';

test('plan shows what would run and writes a plan file that runs', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  playModels(cli.cwd, [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  expect(await cli.json('plan', goal, '-o', 'plan.yaml')).toEqual({
    goal,
    subtasks: [
      expect.objectContaining({ id: 'inspect', description: 'Look at what is there' }),
      { id: 'notes', description: 'Write notes.md', dependsOn: ['inspect'], deliverables: ['notes.md'] },
    ],
    estimate: { tokens: 132_000, costUsd: 0.18 },
    degraded: false,
  });
  const shown = await cli.here('plan', goal);
  expect(shown.stdout).toContain('  executor      ');
  expect(shown.stdout).toContain('  deliverables  notes.md\n');
  const refused = await cli.here('plan', 'plan.yaml', '--json');
  expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([2, { error: { code: 'PLAN_NOT_SUPPORTED' } }]);
  expect(await cli.here('run', 'plan.yaml')).toMatchObject({ code: 0 });
  expect(readFileSync(join(cli.cwd, 'notes.md'), 'utf8')).toBe('x\n');
  const ran = await cli.jsonHere<{ id: string }>('status', 'latest');
  expect(await cli.here('plan', goal)).toMatchObject({ code: 0 });
  expect(await cli.jsonHere('status', 'latest')).toMatchObject({ id: ran.id });
}, 60_000);

test('plan takes a goal from a file, keeps what else it says, and ends its planning when it is interrupted', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  writeFileSync(join(cli.cwd, 'goal.yaml'), `goal: ${goal}\nbudget: { modelCalls: 9 }\n`);
  playModels(cli.cwd, plans(goodPlan));
  expect(await cli.here('plan', 'goal.yaml', '-o', 'plan.json')).toMatchObject({ code: 0 });
  const plan: unknown = JSON.parse(readFileSync(join(cli.cwd, 'plan.json'), 'utf8'));
  expect(plan).toMatchObject({ goal, budget: { modelCalls: 9 }, subtasks: [{ id: 'inspect' }, { id: 'notes' }] });
  expect(plan).not.toHaveProperty('workspace');
  playModels(cli.cwd, [{ when: { role: 'planner' }, reply: { text: 'no', delay: '60s' } }]);
  let interrupt: (() => void) | undefined;
  const onStopRequest = (handler: () => void) => {
    interrupt = handler;
    return () => undefined;
  };
  const running = cli.hereWith({ onStopRequest }, 'plan', 'Never mind', '--json');
  const stateOf = async (goal: string) =>
    (await cli.jsonHere<{ goal: string; state: string }[]>('list')).find((one) => one.goal === goal)?.state;
  await until('it is planning', async () => interrupt !== undefined && (await stateOf('Never mind')) !== undefined);
  interrupt?.();
  // Before the task is started.
  const atOnce = (handler: () => void) => {
    setImmediate(handler);
    return () => undefined;
  };
  const ended = [running, cli.hereWith({ onStopRequest: atOnce }, 'plan', 'Not at all', '--json')];
  for (const { code, stderr } of await Promise.all(ended))
    expect([code, JSON.parse(stderr)]).toMatchObject([130, { error: { code: 'INTERRUPTED' } }]);
  for (const goal of ['Never mind', 'Not at all'])
    await until(`${goal} is cancelled`, async () => (await stateOf(goal)) === 'cancelled');
}, 60_000);

test('run takes a goal; a broken edit of its plan exits 2 and leaves the question open', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  playModels(cli.cwd, [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  const asked = await cli.here('run', goal, '--id', 'goal', '-c', 'planApproval=true', '--exit-on-decision');
  expect(asked.code).toBe(3);
  const value = JSON.stringify({ subtasks: [{ id: 'a', dependsOn: ['a'] }] });
  const broken = await cli.here('decide', 'goal', 'plan-1', 'edit', '--value', value, '--json');
  expect([broken.code, JSON.parse(broken.stderr)]).toMatchObject([2, { error: { code: 'PLAN_CYCLE' } }]);
  const inbox = await cli.jsonHere<InboxItem[]>('inbox');
  expect(inbox.filter(({ taskId }) => taskId === 'goal')).toMatchObject([{ id: 'plan-1' }]);
  expect(await cli.here('decide', 'goal', 'plan-1', 'approve')).toMatchObject({ code: 0 });
  expect(await cli.here('watch', 'goal')).toMatchObject({ code: 0 });
}, 60_000);

test('run --verify can be repeated, and checks the end of a goal and of a plan file', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  playModels(cli.cwd, [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  const verify = ['--verify', 'grep -q x notes.md', '--verify', 'test -s notes.md'];
  expect(await cli.here('run', goal, '--id', 'checked-goal', ...verify)).toMatchObject({ code: 0 });
  const { records } = await cli.jsonHere<Report>('report', 'checked-goal');
  expect(records.find(({ subtask }) => subtask === 'verify-goal')?.verify).toMatchObject([
    { command: 'grep -q x notes.md', exit: 0 },
    { command: 'test -s notes.md', exit: 0 },
  ]);
  const executor = { kind: 'command', run: ['sh', '-c', 'echo y > notes.md'] };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal, subtasks: [{ id: 'write', executor }] }));
  const failed = await cli.here('run', 'plan.json', '--exit-on-decision', '--verify', 'grep -q x notes.md');
  expect(failed.code).toBe(3);
  expect(await cli.here('run', goal, '--verify', ' ')).toMatchObject({ code: 2 });
}, 60_000);

test("the project's tests run unasked where its folder is trusted, for good or for one command", async () => {
  const models = new Cli({ HEDDLE_HOME: home() });
  const script = [
    { when: { role: 'planner' }, times: 9, reply: { text: 'no' } },
    ...writes('execute-goal', 'notes.md', 'x\n'),
  ];
  playModels(models.cwd, script);
  const user = { HEDDLE_HOME: home(), HEDDLE_CONFIG: join(models.cwd, 'heddle.toml') };
  const [cli, once] = [new Cli(user), new Cli({ ...user, HEDDLE_TRUST: '1' })];
  for (const { cwd } of [cli, once]) writeFileSync(join(cwd, 'Makefile'), 'test:\n\tgrep -q x notes.md\n');
  const run = ['run', goal, '--exit-on-decision'];
  expect(await cli.here(...run, '--id', 'untrusted')).toMatchObject({ code: 3 });
  await cli.jsonHere('cancel', 'untrusted');
  expect(await cli.here('trust')).toMatchObject({ code: 0 });
  expect(await cli.here(...run)).toMatchObject({ code: 0 });
  expect(await once.here(...run)).toMatchObject({ code: 0 });
}, 60_000);

test('steer --replan changes the plan that runs', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  const changed = { reason: 'It is short.', subtasks: [{ id: 'slow', description: 'be short' }] };
  playModels(cli.cwd, plans(changed));
  const run = ['sh', '-c', 'grep "be short" || sleep 60'];
  const plan = { goal, subtasks: [{ id: 'slow', executor: { kind: 'command', run } }] };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  await cli.jsonHere('run', 'plan.json', '--id', 'changing', '--detach');
  expect(await cli.here('steer', 'changing', 'be short', '--replan')).toMatchObject({ code: 0 });
  const { code, stdout } = await cli.here('watch', 'changing');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Version 2 of the plan: changed: slow. It is short.')]);
  expect(await cli.jsonHere('status', 'changing')).toMatchObject({ planVersion: 2, state: 'completed' });
}, 60_000);

test('without a model that plans, a goal is refused; a word alone is a file', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const codeOf = async (...args: string[]): Promise<unknown> => {
    const { code, stderr } = await cli.here(...args, '--json');
    return [code, (JSON.parse(stderr) as { error: { code: string } }).error.code];
  };
  expect(await codeOf('run', goal)).toEqual([2, 'MODEL_NOT_CONFIGURED']);
  expect(await codeOf('plan', goal)).toEqual([2, 'MODEL_NOT_CONFIGURED']);
  expect(await codeOf('plan', 'notes')).toEqual([2, 'MODEL_NOT_CONFIGURED']);
  expect(await codeOf('plan', 'notes.yaml')).toEqual([2, 'PLAN_NOT_FOUND']);
  expect(await codeOf('run', 'notes')).toEqual([2, 'PLAN_NOT_FOUND']);
  expect(await codeOf('run', 'my notes.yaml')).toEqual([2, 'PLAN_NOT_FOUND']);
}, 60_000);

test('plan tells its waits for a provider, asks nobody, and fails when they are used up', async () => {
  const cli = new Cli({ HEDDLE_HOME: home(), HEDDLE_TRUST: '1' });
  await configureUnreachable(cli.cwd, '[limits]\nenvironmentWait = { first = "100ms", factor = 1, times = 2 }\n');
  const { code, stderr } = await cli.here('plan', goal);
  expect(stderr).toMatch(/Retrying in 0\.1 s \(wait 1 of 2\): the provider p cannot be reached/);
  expect([code, stderr]).toEqual([1, expect.stringContaining('(PLAN_NOT_MADE)')]);
}, 60_000);
