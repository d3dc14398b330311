import { networkInterfaces } from 'node:os';
import { lastLines, oneLine } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { findOwnProgram } from '../../programs/own-programs.ts';
import { runProgram } from '../../programs/run-program.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { openOwnNetwork, type WayOut } from './own-network.ts';

/** The program that gives commands a network that leads out of this machine and not to it. */
export type FoundWayOut =
  | ({ kind: 'slirp4netns'; version: string } & WayOut)
  /** `why` completes "there is no way out only, since ...". */
  | { kind: 'none'; why: string };

/** Addresses of the servers that workers serve, by the environment that a worker was given; undefined among them: nobody said. */
const servers = new WeakMap<PublicEnvironment, Set<string | undefined>>();

/** Remembers where a worker's server is. Temporal would start anything for a command that reaches it. */
export function noteServer(environment: PublicEnvironment, address: string | undefined): void {
  servers.set(environment, new Set([...(servers.get(environment) ?? []), address]));
}

let probed: Promise<FoundWayOut> | undefined;

/** Finds out once per process whether it works, and each time whether a server of the worker lies on the way: then there is no way out. */
export async function findWayOut(environment: PublicEnvironment): Promise<FoundWayOut> {
  const addresses = [...(servers.get(environment) ?? [undefined])];
  const problem = addresses.map(serverProblem).find((why) => why !== undefined);
  return problem === undefined ? (probed ??= probeWayOut(process.env['PATH'])) : none(problem);
}

/** Why a way out would lead to a server. */
export function serverProblem(address: string | undefined): string | undefined {
  if (address === undefined) return 'it is not known where the Temporal server is';
  return isOfThisMachine(address) ? undefined : `the Temporal server (${address}) is not on this machine`;
}

/** By its own name only: what a name server says today it may not say tomorrow. */
export function isOfThisMachine(address: string): boolean {
  const host = /^(?:[a-z]+:\/\/)?(?:\[([^\]]+)\]|([^:/]+))(?::\d+)?\/?$/i.exec(address);
  const name = host?.[1] ?? host?.[2];
  if (name === undefined) return false;
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return name === 'localhost' || /^127(?:\.\d{1,3}){3}$/.test(name) || own.some((entry) => entry.address === name);
}

/** slirp4netns with as much of its own walls as the system allows. */
const wallsByStrength = [['--enable-sandbox', '--enable-seccomp'], ['--enable-sandbox'], []];

export async function probeWayOut(path: string | undefined): Promise<FoundWayOut> {
  if (process.platform !== 'linux') return none('slirp4netns, which makes it, runs on Linux only');
  const [slirp, ip, unshare] = ['slirp4netns', 'ip', 'unshare'].map((name) => findOwnProgram(name, { path }));
  if (slirp === undefined) return none('slirp4netns is not installed');
  if (ip === undefined) return none('`ip` (of iproute2), which closes the addresses of this machine, is not installed');
  if (unshare === undefined) return none('`unshare` (of util-linux), which makes the network, is not installed');
  const version = await readVersion(slirp);
  let why = '';
  for (const walls of wallsByStrength) {
    const wayOut = { slirp, ip, unshare, walls };
    const problem = await tryOut(wayOut);
    if (problem === undefined) return { kind: 'slirp4netns', version, ...wayOut };
    why ||= problem;
  }
  return none(`slirp4netns is installed, but does not work here (${why})`);
}

const none = (why: string): FoundWayOut => ({ kind: 'none', why });

async function readVersion(slirp: string): Promise<string> {
  const { probeTimeout: timeout } = activityLimits.commands;
  const { stdoutTail } = await runProgram({ argv: [slirp, '--version'], cwd: '/', env: {}, timeout });
  return oneLine(stdoutTail.split('\n')[0] ?? '').replace(' version ', ' ') || 'slirp4netns';
}

/** All that every command gets, but the sandbox. Returns what went wrong. */
async function tryOut(wayOut: WayOut): Promise<string | undefined> {
  const { probeTimeout: timeout } = activityLimits.commands;
  const stop = new AbortController();
  let problem: string | undefined;
  try {
    const network = await openOwnNetwork(wayOut);
    try {
      const result = await runProgram({
        argv: network.enter([wayOut.ip, 'link', 'show', 'dev', 'tap0']),
        ...{ stdin: network.stdin, pipes: ['', network.onStatus] },
        ...{ cwd: '/', env: {}, timeout, signal: stop.signal },
        onStart: (pid) =>
          network.attach(pid, { signal: stop.signal, env: {} }).catch((error: unknown) => {
            problem = error instanceof Error ? error.message : String(error);
            throw error;
          }),
      });
      const hasRun = result.end === 'exited' && result.exitCode === 0 && result.startError === undefined;
      if (!hasRun) problem = oneLine(lastLines(result.stderrTail, 1)) || (problem ?? 'it ended without a word');
    } finally {
      await network.close();
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return problem;
}
