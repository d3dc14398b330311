// A worker that dies or stands still, and one that is another user: what its commands started does not outlive it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endOrphan } from '../../../activities/programs/orphan.ts';
import type { CommandResult } from '../../../activities/sandbox/command.ts';
import { eventually } from '../execute/program/support.ts';
import { bubblewrap, makeCommandRig, type CommandRig } from './support.ts';
import type { Errand } from './support-worker.ts';

const flags = ['--disable-warning=ExperimentalWarning'];

function startWorker(errand: Errand): ChildProcess {
  const script = new URL('support-worker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [...flags, script, JSON.stringify(errand)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A command that leaves a daemon, and does not end. */
const errandIn = ({ workspace, mark }: CommandRig, sandboxed: boolean): Errand => ({
  ...{ workspace, sandboxed },
  mark: `HEDDLE_TEST_MARK=${mark}`,
  scripts: [`: ${mark}; setsid sh -c ': ${mark}; while :; do sleep 0.1; done' & touch begun; sleep 100; true ${mark}`],
});

const hasBegun = (rig: CommandRig): Promise<boolean> => eventually(() => existsSync(join(rig.workspace, 'begun')));

/** Command lines, without the worker's own arguments. */
const running = (rig: CommandRig): string[] => rig.left().filter((line) => !line.includes('support-worker'));

describe.skipIf(bubblewrap === undefined)('in the sandbox', () => {
  test('a worker that is killed takes its commands with it', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const worker = startWorker(errandIn(rig, true));
    expect(await hasBegun(rig)).toBe(true);
    expect(running(rig).length).toBeGreaterThan(1);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await eventually(() => running(rig).length === 0, 5_000)).toBe(true);
  });

  test('the commands of a worker that stands still are ended by the next one', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const worker = startWorker(errandIn(rig, true));
    expect(await hasBegun(rig)).toBe(true);
    worker.kill('SIGSTOP');
    const { ended, left } = await endOrphan({ host: hostname(), mark: `HEDDLE_TEST_MARK=${rig.mark}` });
    expect([ended.length > 0, left]).toEqual([true, []]);
    expect(await eventually(() => running(rig).length === 0, 5_000)).toBe(true);
    worker.kill('SIGKILL');
  });
});

test('beside everything else: what a killed worker leaves is ended by the next one', async () => {
  const rig = await makeCommandRig(undefined);
  const worker = startWorker(errandIn(rig, false));
  expect(await hasBegun(rig)).toBe(true);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  expect(running(rig).length).toBeGreaterThan(1);
  await endOrphan({ host: hostname(), mark: `HEDDLE_TEST_MARK=${rig.mark}` });
  expect(running(rig)).toEqual([]);
});

const nobody = 65_534;

/** As somebody who has no rights here; the code is copied to where that one may read it. */
function runAsNobody(folder: string, errand: Errand): CommandResult[] {
  const root = join(import.meta.dirname, '..', '..', '..');
  for (const part of ['activities', 'domain', 'test/activities/sandbox', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  copyFileSync(process.execPath, join(folder, 'node'));
  const script = join(folder, 'test', 'activities', 'sandbox', 'support-worker.ts');
  const as = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  const answer = spawnSync('setpriv', [...as, join(folder, 'node'), ...flags, script, JSON.stringify(errand)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', SECRET_TOKEN: 'sesame-open' },
  });
  if (answer.status !== 0) throw new Error(answer.stderr);
  return answer.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CommandResult);
}

const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

describe.skipIf(!isRoot)('as another user', () => {
  test.for([
    ['in the sandbox', true],
    ['beside everything else', false],
  ] as const)('%s the same holds', async ([, sandboxed], { skip }) => {
    if (sandboxed && bubblewrap === undefined) skip();
    const rig = await makeCommandRig(bubblewrap);
    const folder = join(rig.workspace, '..');
    const workspace = join(folder, 'theirs');
    mkdirSync(workspace);
    chownSync(workspace, nobody, nobody);
    spawnSync('chmod', ['711', folder]);
    writeFileSync(join(folder, 'closed'), 'x', { mode: 0o600 });
    const daemon = `setsid sh -c ': ${rig.mark}; while :; do sleep 0.1; done' >/dev/null 2>&1 &`;
    const [written, secrets, forks, daemons] = runAsNobody(folder, {
      ...{ workspace, sandboxed, mark: `HEDDLE_TEST_MARK=${rig.mark}` },
      scripts: [
        'echo mine > file && cat file && id -u',
        `cat ${folder}/closed /etc/shadow; env; cat /proc/[0-9]*/environ`,
        `: ${rig.mark}; sleep 0.5; while :; do sleep 30 & done`,
        `${daemon} sleep 0.3; echo done`,
      ],
    });
    expect(written).toMatchObject({ exit: 0, output: { head: `mine\n${sandboxed ? 1000 : nobody}\n` } });
    expect(JSON.stringify(secrets)).not.toMatch(sandboxed ? /sesame|root:/ : /root:/);
    expect(forks).toMatchObject({ kind: 'killed', for: 'processes' });
    expect(daemons).toMatchObject({ exit: 0, output: { head: 'done\n' } });
    expect(running(rig)).toEqual([]);
  });
});
