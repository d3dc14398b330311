import { readFile } from 'node:fs/promises';
import { lastLines, oneLine } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { ownShell } from '../../programs/own-programs.ts';
import { runProgram } from '../../programs/run-program.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import type { Mount } from '../mounts/mount.ts';
import { closedNetworks } from './closed-networks.ts';

/*
 * A network of a command's own. `unshare` makes a user namespace and, owned by it, a network namespace, in which a shell closes the
 * addresses of this machine, says that it is ready, and waits. Then slirp4netns, which stays outside, gives that namespace its one device and
 * carries what is sent there. Only then does the shell become bubblewrap, whose command has rights over neither namespace: it can
 * change no route. Without a word from us the shell ends. slirp4netns ends when we end it, or when the descriptor closes that we hold.
 */

/** Programs that give a command a network with a way out only, and how. */
export interface WayOut {
  slirp: string;
  ip: string;
  unshare: string;
  /** Options for as many of its own walls as slirp4netns can have here. */
  walls: readonly string[];
}

/** Addresses that stand in no network of anybody: a real one of the same numbers would be hidden. */
const cidr = '192.0.2.0/24';
const nameServer = '192.0.2.3';

const readyWord = 'ready';
const goWord = 'go';

/** Descriptor 4 is what bubblewrap tells its status on. */
const script = [
  'ip=$1 routes=$2; shift 2',
  'printf "%s\\n" "$routes" | "$ip" -batch - >&2 || { echo failed >&4; exit 1; }',
  `echo ${readyWord} >&4`,
  `read -r word && [ "$word" = ${goWord} ] || exit 1`,
].join('\n');

/** A command that is talked to keeps the input behind our word; another one has none. */
const starts = { alone: 'exec "$@" </dev/null', talking: 'exec "$@"' } as const;

/** The network of one command. */
export interface OwnNetwork {
  /** The program, as one that starts in it; its second pipe has to be heard by `onStatus`. */
  enter: (argv: readonly string[]) => string[];
  /** The text that the first process reads once the network is there. */
  stdin: string;
  /** Receives what is written to the descriptor of the status. */
  onStatus: (piece: Buffer) => void;
  /** Connects it: rejects where that does not work, and nothing may run then. */
  attach: (pid: number, given: { signal: AbortSignal; env: Readonly<Record<string, string>> }) => Promise<void>;
  /** Ends the network when no command needs it any more. */
  close: () => Promise<void>;
}

/** A command has no network of its own, and does not run: it must not have that of the machine instead. */
export class NetworkProblem extends Error {}

/** In words for the person who asked for the command. */
export const networkProblem = (error: unknown): string =>
  `The command was not run, since its network could not be set up: ${oneLine(error instanceof Error ? error.message : String(error))}.`;

/** Prepares a network for one program. Rejects where the machine's addresses cannot be read. */
export async function openOwnNetwork(wayOut: WayOut, { talks = false } = {}): Promise<OwnNetwork> {
  const closed = await readClosedNetworks(wayOut).catch((error: unknown) => {
    throw new NetworkProblem(networkProblem(error));
  });
  const routes = ['link set lo up', ...closed.map((network) => `route replace prohibit ${network}`)].join('\n');
  const separate = [wayOut.unshare, '--user', '--map-root-user', '--net', '--'];
  const separated = Promise.withResolvers<boolean>();
  const stop = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  let status = '';
  return {
    enter: (argv) => [
      ...separate,
      ...[ownShell, '-c', `${script}\n${talks ? starts.talking : starts.alone}`, 'sh'],
      ...[wayOut.ip, routes],
      ...argv,
    ],
    stdin: `${goWord}\n`,
    onStatus: (piece) => {
      if (status.includes('\n')) return;
      status += piece.toString('latin1');
      if (status.includes('\n')) separated.resolve(status.startsWith(readyWord));
    },
    attach: async (pid, { signal, env }) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(activityLimits.commands.networkStart)]);
      const isSeparate = await untilAborted(separated.promise, patience);
      if (!isSeparate) throw new Error('the addresses of this machine could not be closed');
      const carrier = startCarrier(wayOut, pid, { env, stop: stop.signal });
      ended = carrier.ended;
      const problem = await untilAborted(Promise.race([carrier.ready, carrier.ended]), patience);
      if (problem !== '') throw new Error(problem);
    },
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Resolves `ready` with nothing to complain of, and `ended`, when it is gone, with what it said last. */
function startCarrier(
  { slirp, walls }: WayOut,
  pid: number,
  { env, stop }: { env: Readonly<Record<string, string>>; stop: AbortSignal },
): { ready: Promise<string>; ended: Promise<string> } {
  const ready = Promise.withResolvers<string>();
  const options = ['--configure', '--mtu=65520', '--disable-host-loopback', `--cidr=${cidr}`, ...walls];
  const ended = runProgram({
    argv: [slirp, ...options, '--ready-fd=3', '--exit-fd=4', String(pid), 'tap0'],
    // The second one only closes, with us: it ends then.
    pipes: [() => ready.resolve(''), () => undefined],
    ...{ cwd: '/', env, timeout: Infinity, killGrace: 0, signal: stop },
  }).then(({ startError, stderrTail, exitCode }) => {
    const reason = oneLine(lastLines(stderrTail, 1)) || `it ended with ${exitCode ?? 'a signal'}`;
    return `slirp4netns: ${startError?.message ?? reason}`;
  });
  return { ready: ready.promise, ended };
}

/** Reads the routes again for each command: addresses come and go. */
async function readClosedNetworks({ ip }: WayOut): Promise<string[]> {
  const argv = [ip, '-4', '-json', '-details', 'route', 'show', 'table', 'all'];
  const { probeTimeout: timeout, routesBytes: tailBytes } = activityLimits.commands;
  const result = await runProgram({ argv, cwd: '/', env: {}, timeout, tailBytes });
  if (result.exitCode !== 0 || result.stdoutBytes >= tailBytes)
    throw new Error(`the addresses of this machine could not be read (${oneLine(lastLines(result.stderrTail, 1))})`);
  return closedNetworks(result.stdoutTail);
}

/** Names are asked of the one server that is there, which asks those of this machine. */
export async function ownNames(): Promise<Mount> {
  const settings = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
  const others = settings.split('\n').filter((line) => /^\s*(?:search|domain|options)\s/.test(line));
  return { kind: 'text', at: '/etc/resolv.conf', text: [`nameserver ${nameServer}`, ...others, ''].join('\n') };
}
