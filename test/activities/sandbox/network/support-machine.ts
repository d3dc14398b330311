// A machine of its own in namespaces: everything that is reached from here stays in this process's network.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Redactor } from '../../../../activities/redact/redactor.ts';
import { probeSandbox } from '../../../../activities/sandbox/find-sandbox.ts';
import { probeWayOut } from '../../../../activities/sandbox/network/find-way-out.ts';
import { runCommand } from '../../../../activities/sandbox/run-command.ts';

/** The orders for a worker on that machine. */
export interface MachineErrand {
  workspace: string;
  mark: string;
  scripts: string[];
  /** In place of slirp4netns. */
  carrier?: string;
  /** Milliseconds after which each command is cancelled. */
  cancelAfter?: number;
}

export const port = 7001;
/** Addresses of the machine: on loopback, on its way out, and on a network of containers. */
export const machine = { loopback: '198.51.100.1', wayOut: '203.0.113.1', bridge: '172.30.0.1' };
/** Addresses of a machine that is elsewhere, and of a container. */
export const outside = '203.0.113.2';
export const container = '172.30.0.2';

const ip = (...words: string[]): unknown => execFileSync('ip', words, { stdio: 'inherit' });

const elsewhere = `
const net = require('node:net'), dgram = require('node:dgram');
net.createServer((s) => s.on('error', () => {}).end('outside\\n')).listen(${port}, '0.0.0.0', () => console.log('up'));
const names = dgram.createSocket('udp4');
names.on('message', (q, from) => {
  const end = q.indexOf(0, 12) + 5, kind = q.readUInt16BE(end - 4);
  const head = Buffer.from(q.subarray(0, end)); head.writeUInt16BE(0x8180, 2); head.writeUInt16BE(kind === 1 ? 1 : 0, 6); head.writeUInt32BE(0, 8);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 2]);
  names.send(kind === 1 ? Buffer.concat([head, answer]) : head, from.port, from.address);
});
names.bind(53, '0.0.0.0');
process.stdin.on('end', () => process.exit()).resume();
`;

async function makeMachine(folder: string): Promise<() => void> {
  ip('link', 'set', 'lo', 'up');
  ip('addr', 'add', `${machine.loopback}/32`, 'dev', 'lo');
  // Another machine, which is a container of this one too.
  const other = spawn(
    'unshare',
    ['--net', process.execPath, '-e', `process.stdin.once('data', () => { ${elsewhere} }); console.log('here')`],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: other.stdout });
  await once(lines, 'line');
  const within = (...words: string[]): unknown =>
    execFileSync('nsenter', [`--net=/proc/${other.pid}/ns/net`, 'ip', ...words], { stdio: 'inherit' });
  for (const [name, here, there] of [
    ['out', machine.wayOut, outside],
    ['bridge', machine.bridge, container],
  ] as const) {
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}-peer`, 'netns', String(other.pid));
    ip('addr', 'add', `${here}/24`, 'dev', name);
    ip('link', 'set', name, 'up');
    within('addr', 'add', `${there}/24`, 'dev', `${name}-peer`);
    within('link', 'set', `${name}-peer`, 'up');
  }
  ip('route', 'add', 'default', 'via', outside, 'dev', 'out');
  other.stdin.write('go\n');
  await once(lines, 'line');
  writeFileSync(`${folder}/names`, `nameserver ${outside}\n`);
  execFileSync('mount', ['--bind', `${folder}/names`, '/etc/resolv.conf'], { stdio: 'inherit' });
  const own = createServer((socket) => socket.on('error', () => undefined).end('machine\n')).listen(port, '0.0.0.0');
  await once(own, 'listening');
  return () => {
    own.close();
    other.stdin.end();
    lines.close();
  };
}

async function work({ workspace, mark, scripts, carrier, cancelAfter = 60_000 }: MachineErrand): Promise<void> {
  const leave = await makeMachine(`${workspace}/..`);
  const sandbox = await probeSandbox(process.env['PATH']);
  const probed = await probeWayOut(process.env['PATH']);
  if (sandbox.kind === 'none' || probed.kind === 'none') throw new Error(JSON.stringify([sandbox, probed]));
  const wayOut = carrier === undefined ? probed : { ...probed, slirp: carrier };
  for (const script of scripts) {
    const result = await runCommand(
      { argv: ['bash', '-c', script], timeout: 20_000, signal: AbortSignal.timeout(cancelAfter) },
      {
        ...{ workspace, sandbox: sandbox.program, mark, readRoots: [], hidden: [], redactor: Redactor.none },
        ...{ network: true, wayOut, environment: process.env },
      },
    );
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  leave();
}

const errand = process.argv[2];
if (import.meta.main && errand !== undefined) await work(JSON.parse(errand) as MachineErrand);
