// A retry reuses finished work only where all that it left is still there and its verify commands still pass.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli, useSharedHome } from '../../support/cli.ts';

const home = useSharedHome();

interface DryRun {
  reused: string[];
  runs: string[];
  rechecked: string[];
}

const step = (id: string, script: string, more: object = {}): object => ({
  id,
  description: `do ${id}`,
  executor: { kind: 'command', run: ['sh', '-c', script] },
  ...more,
});

/** The last subtask fails until `fixed` is there. */
function failing(cli: Cli, subtasks: object[]): void {
  const last = step('last', 'test -e fixed && echo done');
  const plan = { goal: 'retry', ladder: [{ tier: 'assigned' }], subtasks: [...subtasks, last] };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
}

const dryRun = (cli: Cli, task: string): Promise<DryRun> =>
  cli.jsonHere('retry', task, '--dry-run') as unknown as Promise<DryRun>;

test('what was undone is done again by a retry', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  failing(cli, [step('write', 'echo x > undeclared.txt; echo ok')]);
  expect(await cli.here('run', 'plan.json', '--id', 'taken-back')).toMatchObject({ code: 1 });
  expect(await dryRun(cli, 'taken-back')).toMatchObject({ reused: ['write'], runs: ['last'] });
  expect((await cli.here('undo', 'taken-back')).code).toBe(0);
  expect(existsSync(join(cli.cwd, 'undeclared.txt'))).toBe(false);
  expect(await dryRun(cli, 'taken-back')).toMatchObject({ reused: [], runs: ['write', 'last'] });
  writeFileSync(join(cli.cwd, 'fixed'), '');
  expect((await cli.here('retry', 'taken-back')).code).toBe(0);
  expect(readFileSync(join(cli.cwd, 'undeclared.txt'), 'utf8')).toBe('x\n');
}, 120_000);

test('modified, moved, deleted and brought back files all count', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  writeFileSync(join(cli.cwd, 'old.txt'), 'old');
  const at = (name: string): string => join(cli.cwd, name);
  const write = step('write', 'mkdir deep; echo x > deep/x.txt; rm old.txt; echo ok', { dependsOn: ['talk'] });
  failing(cli, [step('talk', 'echo hello'), write]);
  expect((await cli.here('run', 'plan.json', '--id', 'moved-away')).code).toBe(1);
  const all = { reused: ['talk', 'write'], runs: ['last'] };
  const again = { reused: ['talk'], runs: ['write', 'last'] };
  expect(await dryRun(cli, 'moved-away')).toMatchObject(all);
  writeFileSync(at('deep/x.txt'), 'y');
  expect(await dryRun(cli, 'moved-away')).toMatchObject(again);
  writeFileSync(at('deep/x.txt'), 'x\n');
  expect(await dryRun(cli, 'moved-away')).toMatchObject(all);
  renameSync(at('deep/x.txt'), at('deep/z.txt'));
  expect(await dryRun(cli, 'moved-away')).toMatchObject(again);
  renameSync(at('deep/z.txt'), at('deep/x.txt'));
  writeFileSync(at('old.txt'), 'old');
  expect(await dryRun(cli, 'moved-away')).toMatchObject(again);
  rmSync(at('old.txt'));
  mkdirSync(at('own'));
  expect(await dryRun(cli, 'moved-away')).toMatchObject(all);
}, 120_000);

test('a retried retry reuses what the first task left, and a file that all of them write is no change', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const log = 'echo $HEDDLE_SUBTASK_ID >> log.txt';
  const last = step('last', `${log}; test -e fixed && echo done`);
  const plan = {
    goal: 'retry',
    ladder: [{ tier: 'assigned' }],
    subtasks: [step('write', `${log}; echo x > x.txt; echo ok`), { ...last, dependsOn: ['write'] }],
  };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  expect((await cli.here('run', 'plan.json', '--id', 'chain')).code).toBe(1);
  for (const task of ['chain', 'chain-r2']) expect((await cli.here('retry', task)).code).toBe(1);
  expect(await dryRun(cli, 'chain-r3')).toMatchObject({ reused: ['write'], runs: ['last'] });
  rmSync(join(cli.cwd, 'x.txt'));
  expect(await dryRun(cli, 'chain-r3')).toMatchObject({ reused: [], runs: ['write', 'last'] });
}, 120_000);

test('work that was merged from a worktree is reused as long as its files are as it left them', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  failing(cli, [step('apart', 'echo x > x.txt; echo ok', { isolation: 'worktree', deliverables: ['x.txt'] })]);
  expect((await cli.here('run', 'plan.json', '--id', 'apart')).code).toBe(1);
  expect(await dryRun(cli, 'apart')).toMatchObject({ reused: ['apart'], runs: ['last'] });
  rmSync(join(cli.cwd, 'x.txt'));
  expect(await dryRun(cli, 'apart')).toMatchObject({ reused: [], runs: ['apart', 'last'] });
}, 120_000);

test('a verify command that fails now lets the subtask and all behind it run', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const outside = join(cli.cwd, '..', `flag-${Date.now()}`);
  failing(cli, [
    step('build', `touch ${outside}; echo x > x.txt; echo ok`, { verify: [`test -e ${outside}`] }),
    step('behind', 'echo behind', { dependsOn: ['build'] }),
  ]);
  expect((await cli.here('run', 'plan.json', '--id', 'checked')).code).toBe(1);
  writeFileSync(join(cli.cwd, 'fixed'), '');
  rmSync(outside);
  // The dry run runs no commands: it names what is decided by them.
  expect(await dryRun(cli, 'checked')).toMatchObject({ reused: ['build', 'behind'], rechecked: ['build'] });
  expect(existsSync(outside)).toBe(false);
  const retried = await cli.here('retry', 'checked', '--json');
  expect(retried.code).toBe(0);
  expect(existsSync(outside)).toBe(true);
  const events = retried.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; subtask?: string });
  const requeued = events.filter(({ type }) => type === 'subtask.requeued').map(({ subtask }) => subtask);
  expect(requeued).toEqual(['build', 'behind']);
}, 120_000);

test('a task whose id has 64 characters can be retried', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  failing(cli, []);
  const id = 'i'.repeat(64);
  expect((await cli.here('run', 'plan.json', '--id', id)).code).toBe(1);
  writeFileSync(join(cli.cwd, 'fixed'), '');
  const retried = await cli.here('retry', id);
  expect(retried.stdout).toMatch(/Starting i{50}-[0-9a-f]{8}-r2 from/);
  expect(retried.code).toBe(0);
}, 120_000);
