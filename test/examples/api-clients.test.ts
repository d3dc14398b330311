// The clients of examples/api against the real API: each starts a plan, follows it to its end, and questions reach the notifier.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useApi } from '../support/api/api-rig.ts';
import { until } from '../support/cli.ts';
import { decisionOpened, eventOf, shellPlan, useRig } from '../support/rig.ts';

const rig = useRig();
const api = useApi(rig);
const examples = join(import.meta.dirname, '..', '..', 'examples');

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(
  program: string,
  args: string[],
  cwd: string,
  token: string,
): { ended: Promise<Ended>; stop: () => void } {
  const env = { ...process.env, HEDDLE_API: `${api.origin}/api/v1`, HEDDLE_CONSOLE: api.origin, HEDDLE_TOKEN: token };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { ended, stop: () => child.kill('SIGTERM') };
}

test.each([
  ['curl', 'sh', ['start-task.sh']],
  ['TypeScript', process.execPath, ['--disable-warning=ExperimentalWarning', 'start-task.ts']],
  ['Python', 'python3', ['start_task.py']],
])('the client in %s starts a plan and follows it to its end', async (_, program, args) => {
  const cwd = rig.workspace();
  const file = args.at(-1) ?? '';
  const given = [...args.slice(0, -1), join(examples, 'api', file), join(examples, 'hello.yaml')];
  const { code, stdout, stderr } = await start(program, given, cwd, 'hdl_operator').ended;
  expect([code, stderr]).toEqual([0, '']);
  const [, id = ''] = /^task (\S+)$/m.exec(stdout) ?? [];
  rig.adopt(`task-${id}`);
  expect(stdout).toMatch(/completed|Completed/);
  expect(readFileSync(join(cwd, 'words.txt'), 'utf8').trim()).toBe('3');
});

test('the notifier hands each new question to a program, once, with its address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-notify-'));
  const file = join(folder, 'heard');
  const program = join(folder, 'hear.sh');
  writeFileSync(program, `printf '%s\\n' "$1" >> ${file}\n`);
  writeFileSync(file, '');
  const { stop, ended } = start('python3', [join(examples, 'api', 'notify.py'), 'sh', program], folder, 'hdl_viewer');
  const task = await rig.start(shellPlan({ deploy: { sh: 'echo no access >&2; exit 77' } }));
  const { decision } = await eventOf(task, decisionOpened());
  const address = `${api.origin}/tasks/${task.id}/decisions/${decision.id}`;
  const listHeard = (): string[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line === address);
  await until('the question is heard', () => listHeard().length > 0);
  expect(readFileSync(file, 'utf8')).toContain(decision.problem);
  stop();
  await ended;
  expect(listHeard()).toHaveLength(1);
  await task.cancel();
});
