// `heddle prune` on a home with an open task and one that has ended.
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Cli } from '../../support/cli.ts';

const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

test('prune takes the output of the ended task and keeps what the open one refers to', async () => {
  const cli = new Cli();
  const plan = (name: string, subtasks: object[]): string => {
    writeFileSync(join(cli.cwd, name), JSON.stringify({ goal: 'try it', subtasks }));
    return name;
  };
  const ended = plan('ended.json', [{ id: 'a', executor: command('echo spoken by the ended one') }]);
  expect((await cli.run('run', ended, '--id', 'ended')).code).toBe(0);
  const open = plan('open.json', [
    { id: 'a', executor: command('echo spoken by the open one') },
    { id: 'b', dependsOn: ['a'], executor: command('exit 78') },
  ]);
  expect((await cli.run('run', open, '--id', 'open', '--exit-on-decision')).code).toBe(3);
  age(join(cli.home, 'store', 'objects'), 40);

  expect((await cli.run('prune', '--older-than', 'soon')).code).toBe(2);
  const planned = await cli.json<{ objects: number }>('prune', '--dry-run');
  expect(planned.objects).toBeGreaterThan(0);
  expect((await cli.run('logs', 'ended', 'a')).stdout).toContain('spoken by the ended one');
  expect(await cli.json('prune')).toMatchObject({ objects: planned.objects, openTasks: 1, dryRun: false });
  expect((await cli.run('logs', 'ended', 'a')).stdout).not.toContain('spoken by the ended one');
  expect((await cli.run('logs', 'open', 'a')).stdout).toContain('spoken by the open one');
  expect(await cli.json('prune')).toMatchObject({ objects: 0 });
}, 120_000);

test('prune with the address of another server is refused: it knows nothing of the tasks that ran here', async () => {
  const cli = new Cli();
  const plan = { goal: 'try it', subtasks: [{ id: 'a', executor: command('echo spoken') }] };
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  expect((await cli.run('run', 'plan.json', '--id', 'here')).code).toBe(0);
  age(join(cli.home, 'store', 'objects'), 40);
  const elsewhere = new Cli({ HEDDLE_HOME: cli.home, TEMPORAL_ADDRESS: inject('temporalAddress') });
  for (const flags of [['--dry-run'], []]) {
    const refused = await elsewhere.run('prune', ...flags);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no task of the server')]);
  }
  expect((await cli.run('logs', 'here', 'a')).stdout).toContain('spoken');
}, 120_000);

function age(folder: string, days: number): void {
  const then = new Date(Date.now() - days * 24 * 60 * 60_000);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
}
