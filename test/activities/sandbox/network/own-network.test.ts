// A command with a network of its own gets out of the machine and not to it. The machine is made of namespaces: nothing leaves them.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CommandResult } from '../../../../activities/sandbox/command.ts';
import { probeWayOut } from '../../../../activities/sandbox/network/find-way-out.ts';
import { eventually, temporaryFolder } from '../../execute/program/support.ts';
import { bubblewrap, makeCommandRig, type CommandRig } from '../support.ts';
import { container, machine, outside, port, type MachineErrand } from './support-machine.ts';

const probed = await probeWayOut(process.env['PATH']);
const isRoot = process.getuid?.() === 0;
// CI must not pass without having looked.
if (process.env['HEDDLE_REQUIRE_NETWORK'] === '1' && probed.kind === 'none') throw new Error(probed.why);
const canRun = bubblewrap !== undefined && probed.kind !== 'none' && isRoot;

function startMachine(rig: CommandRig, errand: Omit<MachineErrand, 'workspace' | 'mark'>): ChildProcess {
  const file = new URL('support-machine.ts', import.meta.url).pathname;
  const given: MachineErrand = { workspace: rig.workspace, mark: `HEDDLE_TEST_MARK=${rig.mark}`, ...errand };
  const flags = ['--disable-warning=ExperimentalWarning', file, JSON.stringify(given)];
  const child = spawn('unshare', ['--net', '--mount', process.execPath, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function runOn(rig: CommandRig, errand: Omit<MachineErrand, 'workspace' | 'mark'>): Promise<CommandResult[]> {
  const child = startMachine(rig, errand);
  let text = '';
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  await once(child, 'close');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CommandResult);
}

const textOf = (result: CommandResult | undefined): string =>
  result?.kind === 'exited' ? result.output.head + result.output.tail : JSON.stringify(result);

/** Processes with the mark of a rig in their environment. */
const marked = ({ mark }: CommandRig): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    });

const visit = (address: string): string =>
  `echo "${address} $(timeout 5 bash -c 'exec 3<>/dev/tcp/${address}/${port} && cat <&3' 2>/dev/null || echo closed)"`;

describe.skipIf(!canRun)('a network of its own', () => {
  test('leads out, and to no address of the machine, its containers or Heddle', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const own = [...Object.values(machine), '127.0.0.1', '0.0.0.0', 'localhost', '192.0.2.2', '192.0.2.3', container];
    const [result] = await runOn(rig, { scripts: [[outside, ...own].map(visit).join('\n')] });
    expect(textOf(result).trim().split('\n')).toEqual([
      `${outside} outside`,
      ...own.map((address) => `${address} closed`),
    ]);
    expect(marked(rig)).toEqual([]);
  });

  test('cannot be changed by the command', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const tries = [
      `ip route del prohibit ${machine.wayOut}`,
      'ip route flush table main',
      'ip link set tap0 down',
      `ip addr add ${machine.wayOut}/32 dev lo`,
      'unshare -n true',
      'unshare -rn true',
      'nsenter -t 1 -n true',
    ];
    const script = tries.map((each) => `${each} 2>/dev/null && echo did: '${each}'`).join('\n');
    const [result] = await runOn(rig, { scripts: [`${script}\n${visit(machine.wayOut)}`] });
    expect(textOf(result)).toBe(`${machine.wayOut} closed\n`);
  });

  test('finds names by the name servers of the machine', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const [result] = await runOn(rig, { scripts: ['getent ahostsv4 some.example | head -1'] });
    expect(textOf(result)).toContain(outside);
  });

  test.each([
    ['ends at once', '#!/bin/sh\necho "cannot open the device" >&2\nexit 1\n', 'slirp4netns: cannot open the device'],
    ['cannot be started', '#!/nowhere/at-all\n', 'ENOENT'],
  ])('a command is not run where slirp4netns %s', async (_, text, why) => {
    const rig = await makeCommandRig(bubblewrap);
    const carrier = join(await temporaryFolder(), 'slirp4netns');
    writeFileSync(carrier, text);
    chmodSync(carrier, 0o755);
    const [result] = await runOn(rig, { scripts: ['touch ran'], carrier });
    expect(result).toEqual({ kind: 'not-started', why: expect.stringContaining(why) as string });
    expect(textOf(result)).toContain('The command was not run, since its network could not be set up');
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
    expect(marked(rig)).toEqual([]);
  });

  test('ends with a command that is cancelled', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const scripts = ['setsid sleep 100 & sleep 100'];
    const [result] = await runOn(rig, { scripts, cancelAfter: 1_000 });
    expect(result).toMatchObject({ kind: 'killed', for: 'abort' });
    expect(marked(rig)).toEqual([]);
  });

  test('ends with a worker that is killed', async () => {
    const rig = await makeCommandRig(bubblewrap);
    const worker = startMachine(rig, { scripts: ['touch begun; sleep 100'] });
    expect(await eventually(() => existsSync(join(rig.workspace, 'begun')))).toBe(true);
    expect(marked(rig).length).toBeGreaterThan(1);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await eventually(() => marked(rig).length === 0, 5_000)).toBe(true);
  });
});

test.runIf(process.platform === 'linux')('where slirp4netns is not installed, that is the reason', async () => {
  const none = { kind: 'none', why: 'slirp4netns is not installed' };
  expect(await probeWayOut(await temporaryFolder())).toEqual(none);
});
