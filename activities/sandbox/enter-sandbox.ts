import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { baseEnvironment, type Variables } from '../programs/base-environment.ts';
import { readIdentity, type ProcessIdentity } from '../programs/process-identity.ts';
import { activityLimits } from '../limits.ts';
import type { Command, Confinement } from './command.ts';
import { gitIdentity } from './git-identity.ts';
import { limited } from './limit-script.ts';
import { isBelow, type Mount } from './mount.ts';
import { sandboxStart, type SandboxStart } from './sandbox-arguments.ts';
import { seePrograms, seeReadRoots, seeSystem } from './see-machine.ts';
import { guardRepository, seeRepository } from './see-repository.ts';
import { agentHome, ownFiles, ownFolders, ownHosts } from './stand-ins.ts';

/** What bubblewrap says while it runs. */
export interface SandboxStatus {
  /** The first process inside; when it is gone, so is everything else. */
  first?: ProcessIdentity;
  /** The command itself was started, and has ended. */
  ended: boolean;
}

/** A command inside of the sandbox, ready to start. */
export async function enterSandbox(
  program: string,
  { argv, env }: Pick<Command, 'argv' | 'env'>,
  place: Confinement,
  worker: Variables,
): Promise<SandboxStart & { status: SandboxStatus; leave: () => Promise<void> }> {
  const { PATH, LANG, HOME } = baseEnvironment(worker);
  const { mounts, path } = await seeAll(place, { path: PATH ?? '', home: HOME ?? '/root', worker });
  const status: SandboxStatus = { ended: false };
  const start = sandboxStart(
    program,
    {
      mounts,
      network: place.network,
      env: { PATH: path, LANG: LANG ?? 'C.UTF-8', TERM: 'dumb', ...env },
      cwd: place.workspace,
      argv: limited(argv, { alone: true }),
    },
    statusReader(status),
  );
  return { ...start, status, leave: await guardRepository(place.workspace) };
}

/** In the order of their strength: of two in one place the later one counts. */
async function seeAll(
  { workspace, readRoots, hidden, network }: Confinement,
  { path, home, worker }: { path: string; home: string; worker: Variables },
): Promise<{ mounts: Mount[]; path: string }> {
  const system = await seeSystem({ network });
  const concealed = await Promise.all(hidden.map((place) => realpath(place).catch(() => place)));
  const programs = await seePrograms({ path, home, seen: system, hidden: concealed });
  const roots = await seeReadRoots(readRoots);
  const repository = await seeRepository(workspace);
  const seen = [...system, ...programs.mounts, ...roots, ...repository];
  const identity = await gitIdentity(worker);
  const mounts: Mount[] = [
    ...seen,
    ...concealed.flatMap((at) => conceal(at, [...seen, { kind: 'write', at: workspace, from: workspace }])),
    ...ownFolders,
    ...ownFiles,
    ...(network ? [] : [ownHosts]),
    { kind: 'text', at: `${agentHome}/.gitconfig`, text: identity },
    { kind: 'write', at: workspace, from: workspace },
    ...repository,
  ];
  return { mounts, path: programs.path };
}

/** An empty folder in place of one that would be seen as a part of another; where nothing is there, nothing is made. */
function conceal(at: string, seen: readonly Mount[]): Mount[] {
  const isIn = seen.some((mount) => (mount.kind === 'read' || mount.kind === 'write') && isBelow(mount.at, at));
  return isIn && existsSync(at) ? [{ kind: 'memory', at, bytes: 4_096, mode: '0555' }] : [];
}

/** It says so in JSON documents, one per line, the first before the command runs. */
function statusReader(status: SandboxStatus): (piece: Buffer) => void {
  let text = '';
  return (piece) => {
    text = (text + piece.toString('latin1')).slice(-activityLimits.outputTail);
    const first = /"child-pid": (\d+)/.exec(text)?.[1];
    if (first !== undefined && status.first === undefined) {
      const identity = readIdentity(Number(first));
      if (identity !== undefined) status.first = identity;
    }
    status.ended = text.includes('"exit-code"');
  };
}
