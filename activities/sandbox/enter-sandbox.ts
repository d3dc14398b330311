import { existsSync, mkdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { commandVariables } from '../../domain/workspace/git-programs.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import type { WorkspaceAccess } from '../../domain/types/basic/tool-server.ts';
import { readIdentity, type ProcessIdentity } from '../programs/process-identity.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import { orNone } from '../system/system-error.ts';
import type { Command, Confinement } from './command.ts';
import { gitIdentity } from './git-identity.ts';
import { limited } from './limit-script.ts';
import { withHeld } from './mounts/hold-mounts.ts';
import { isBelow, isSeen, type Mount } from './mounts/mount.ts';
import { openOwnNetwork, ownNames, type OwnNetwork } from './network/own-network.ts';
import { sandboxStart, type SandboxPlan, type SandboxStart } from './sandbox-arguments.ts';
import { maskSockets } from './mounts/socket-mounts.ts';
import { seePrograms, seeReadRoots, seeSystem } from './mounts/machine-mounts.ts';
import { guardRepository, seeNested, seeRepository } from './mounts/repository-mounts.ts';
import { agentHome, commandFiles, commandFolders, commandHosts } from './mounts/placeholder-files.ts';

/** The status that bubblewrap reports while it runs. */
export interface SandboxStatus {
  /** The first process inside; when it is gone, so is everything else. */
  first?: ProcessIdentity;
  /** The command itself was started, and has ended. */
  ended: boolean;
}

/** A command inside of the sandbox, ready to start. */
export interface EnteredSandbox extends SandboxStart {
  status: SandboxStatus;
  /** Its own, which has to be attached before it begins. */
  network?: OwnNetwork;
}

/** Makes all that a command needs ready for as long as it runs. Rejects with `MountReplacedError` where the workspace changes meanwhile. */
export async function withSandbox<T>(
  program: string,
  { argv, env, repositories = [], talk }: Pick<Command, 'argv' | 'env' | 'repositories' | 'talk'>,
  place: Confinement & { environment: PublicEnvironment },
  use: (entered: EnteredSandbox) => Promise<T>,
): Promise<T> {
  const { PATH, LANG, HOME } = baseEnvironment(place.environment);
  const seen = await seeAll(place, { path: PATH ?? '', home: HOME ?? '/root', repositories });
  const leave = (place.access ?? 'write') === 'write' ? await guardRepository(place.workspace) : undefined;
  return withHeld(seen.mounts, async (mounts) => {
    const status: SandboxStatus = { ended: false };
    const plan = {
      ...{ mounts, network: place.network, cwd: place.access === 'none' ? agentHome : place.workspace },
      env: { PATH: seen.path, LANG: LANG ?? 'C.UTF-8', TERM: 'dumb', ...commandVariables({ sandboxed: true }), ...env },
      argv: limited(argv, { alone: true }),
    };
    try {
      return await use(await enter(program, plan, { status, place, talks: talk !== undefined }));
    } finally {
      await leave?.();
    }
  });
}

async function enter(
  program: string,
  plan: SandboxPlan,
  { status, place, talks }: { status: SandboxStatus; place: Confinement; talks: boolean },
): Promise<EnteredSandbox> {
  const readStatus = statusReader(status);
  if (!plan.network || place.wayOut === undefined) return { ...sandboxStart(program, plan, readStatus), status };
  const network = await openOwnNetwork(place.wayOut, { talks });
  const { argv, pipes } = sandboxStart(program, plan, (piece) => {
    network.onStatus(piece);
    readStatus(piece);
  });
  return { argv: network.enter(argv), pipes, status, network };
}

/** Lists mounts in the order of their strength: of two in one place the later one counts. */
async function seeAll(
  place: Confinement & { environment: PublicEnvironment },
  { path, home, repositories }: { path: string; home: string; repositories: readonly string[] },
): Promise<{ mounts: Mount[]; path: string }> {
  const { workspace, readRoots, hidden, network, wayOut, environment, access = 'write' } = place;
  const system = await seeSystem({ network });
  const places = await Promise.all(hidden.map(realPlace));
  const concealed = places.filter((place) => !places.some((above) => above !== place && isBelow(above, place)));
  const programs = await seePrograms({ workspace, path, home, seen: system, hidden: concealed });
  const roots = await seeReadRoots(readRoots);
  const writes = access === 'write';
  const repository = writes ? [...(await seeNested(repositories)), ...(await seeRepository(workspace))] : [];
  const own = seeWorkspace(workspace, access);
  const seen = [...system, ...programs.mounts, ...roots, ...repository];
  const identity = await gitIdentity(environment);
  const mounts: Mount[] = [
    ...seen,
    ...concealed.flatMap((at) => conceal(at, [...seen, ...own], workspace)),
    ...commandFolders,
    ...(place.home === undefined ? [] : [{ kind: 'write', at: agentHome, from: place.home, held: true } as const]),
    ...commandFiles,
    ...(network ? [] : [commandHosts]),
    ...(network && wayOut !== undefined ? [await ownNames()] : []),
    { kind: 'text', at: `${agentHome}/.gitconfig`, text: identity },
    ...own,
    ...repository,
    ...(await maskSockets([...seen, ...own])),
  ];
  return { mounts, path: programs.path };
}

function seeWorkspace(workspace: string, access: WorkspaceAccess): Mount[] {
  if (access === 'none') return [];
  return [{ kind: access, at: workspace, from: workspace, held: true }];
}

/**
 * An empty folder in place of one that would be seen as a part of another. A missing folder is made first, where the command could
 * make it, since Heddle trusts its own folders. For the same reason the folders on the way there are mounted by themselves:
 * none of them can be moved away to put another in its place.
 */
function conceal(at: string, seen: readonly Mount[], workspace: string): Mount[] {
  if (!isSeen(seen, at)) return [];
  const writable = seen.filter(({ kind }) => kind === 'write');
  if (isSeen(writable, at)) orNone(() => mkdirSync(at, { recursive: true, mode: 0o700 }));
  if (!existsSync(at)) return [];
  const way = isSeen(writable, at) && isBelow(workspace, at) ? foldersBetween(workspace, at) : [];
  return [
    ...way.map((folder): Mount => ({ kind: 'write', at: folder, from: folder, held: true })),
    { kind: 'memory', at, bytes: 4_096, mode: '0555' },
  ];
}

/** Finds where a path leads, also where the end of it is not there yet. */
async function realPlace(path: string): Promise<string> {
  const above = dirname(path);
  return realpath(path).catch(async () => (above === path ? path : join(await realPlace(above), basename(path))));
}

/** Lists the folders above a path and below a folder that it lies in. */
function foldersBetween(folder: string, path: string): string[] {
  const above = dirname(path);
  return above === folder || !isBelow(folder, above) ? [] : [...foldersBetween(folder, above), above];
}

/** Reads the JSON documents that bubblewrap writes, one per line, the first before the command runs. */
function statusReader(status: SandboxStatus): (piece: Buffer) => void {
  let text = '';
  return (piece) => {
    text = (text + piece.toString('latin1')).slice(-activityLimits.outputTail);
    const first = /"child-pid": (\d+)/.exec(text)?.[1];
    // The system may not tell it now: the watch and the end do without it.
    const identity =
      first === undefined || status.first !== undefined ? undefined : orNone(() => readIdentity(Number(first)));
    if (identity !== undefined) status.first = identity;
    status.ended = text.includes('"exit-code"');
  };
}
