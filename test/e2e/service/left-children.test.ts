// A child that left the process group of its program (`setsid`) does not outlive the attempt: not a kill of the worker, not a cancellation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alive, Cli, until } from '../../support/cli.ts';

const onLinux = test.runIf(process.platform === 'linux');

/** The first start leaves a child that writes for ever; the second one says how much was written while it ran. */
const program = `
[ -e begun ] && { wc -l < beats > one; sleep 1; wc -l < beats > two; echo done; exit 0; }
touch begun
setsid sh -c 'echo $$ > pid; while :; do echo x >> beats; sleep 0.05; done' > /dev/null 2>&1 &
sleep 600`;

async function begin(cli: Cli): Promise<number> {
  const file = join(cli.cwd, 'plan.json');
  const executor = { kind: 'command', run: ['sh', '-c', program] };
  writeFileSync(file, JSON.stringify({ goal: 'x', subtasks: [{ id: 'a', description: 'a', executor }] }));
  await cli.json('run', file, '--id', 'left', '--detach');
  await until('the child writes', () => existsSync(join(cli.cwd, 'beats')));
  const pid = Number(readFileSync(join(cli.cwd, 'pid'), 'utf8'));
  expect(alive(pid)).toBe(true);
  onTestFinished(() => {
    if (alive(pid)) process.kill(pid, 'SIGKILL');
  });
  return pid;
}

onLinux(
  'nothing of a killed worker writes beside the rerun',
  async () => {
    const cli = new Cli();
    const child = await begin(cli);
    const service = cli.servicePid();
    process.kill(service, 'SIGKILL');
    await until('the worker is dead', () => !alive(service));
    expect((await cli.run('watch', 'left')).code).toBe(0);
    expect(alive(child)).toBe(false);
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(cli.cwd, name), 'utf8'));
    expect(two).toBe(one);
  },
  120_000,
);

onLinux(
  'nothing of a cancelled task goes on',
  async () => {
    const cli = new Cli();
    const child = await begin(cli);
    expect((await cli.run('cancel', 'left', '--wait')).code).toBe(0);
    expect(alive(child)).toBe(false);
  },
  120_000,
);
