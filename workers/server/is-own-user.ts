import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * Does a connection over IPv4 loopback come from a program of our own user? The kernel's table of sockets tells (Linux); where it cannot be
 * asked, the answer is no.
 */
export async function isOwnUser({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<boolean> {
  const uid = process.getuid?.();
  if (uid === undefined || remotePort === undefined || localPort === undefined) return false;
  const table = await readFile('/proc/net/tcp', 'latin1').catch(() => '');
  const [theirs, ours] = [writeEnd(remoteAddress, remotePort), writeEnd(localAddress, localPort)];
  return table.split('\n').some((line) => {
    const [, local, remote, , , , , owner] = line.trim().split(/\s+/);
    return local === theirs && remote === ours && owner === String(uid);
  });
}

/** An end of a connection as the table writes it: the bytes of the address from the last to the first, then the port. */
function writeEnd(address = '', port: number): string {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  const hex = (value: number, length: number): string => value.toString(16).toUpperCase().padStart(length, '0');
  return `${bytes
    .reverse()
    .map((byte) => hex(byte, 2))
    .join('')}:${hex(port, 4)}`;
}
