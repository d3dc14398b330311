// Ways out of a sandbox that are no files: the keyrings of the user, and sockets of other programs in the workspace.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { needsSandbox, play } from './support-walls.ts';

const rig = useRig();

/** The number of `keyctl`. */
const keyctl = { x64: 250, arm64: 219 }[process.arch as string];

test('an agent reaches neither the keyrings of the user nor a socket of another program', async (context) => {
  await needsSandbox('auto', context);
  const workspace = rig.workspace();
  mkdirSync(join(workspace, 'agent'));
  const server = createServer((socket) => socket.end('a secret')).listen(join(workspace, 'agent', 'ssh.sock'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connect = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "agent/ssh.sock") ? "open" : "closed"'`;
  const joinSession = `perl -e 'syscall(${keyctl}, 0, -3, 0); print "errno ", $!+0'`;
  const { state, results } = await play(rig, {
    workspace,
    mode: 'auto',
    turns: [
      [
        ['shell', { command: connect }],
        ...(keyctl === undefined ? [] : [['shell', { command: joinSession }] as [string, unknown]]),
      ],
    ],
  });
  expect(state).toBe('completed');
  expect(results[0]).toContain('closed');
  if (keyctl !== undefined) expect(results[1]).toContain('errno 1');
});
