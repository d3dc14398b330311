import type { Pipe } from '../programs/start-program.ts';
import { inOrder, type Mount } from './mounts/mount.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { agentHome, agentId } from './mounts/placeholder-files.ts';

/** The sandbox that bubblewrap builds. */
export interface SandboxPlan {
  mounts: readonly Mount[];
  network: boolean;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  argv: readonly string[];
}

/** The program to start, and the pipes that it reads and writes on descriptors of its own. */
export interface SandboxStart {
  argv: string[];
  pipes: Pipe[];
}

const filter = systemCallFilter();

/** The descriptor of the first pipe. */
const firstPipe = 3;

/**
 * No namespace is shared, no right kept, no terminal reachable; what it starts ends with it, and it ends with us. `/proc` is read-only
 * as a whole: a worker that is root would otherwise let the command write settings of the kernel there.
 */
const walls = [
  ...['--unshare-all', '--unshare-user', '--disable-userns'],
  ...['--uid', String(agentId), '--gid', String(agentId), '--hostname', 'sandbox'],
  ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--clearenv'],
];

/** Its own arguments go through a pipe: a process list, and the command itself, would show them. */
export function sandboxStart(
  program: string,
  plan: SandboxPlan,
  onStatus: (piece: Buffer) => void = () => undefined,
): SandboxStart {
  const pipes: Pipe[] = ['', onStatus];
  const descriptorOf = (pipe: Pipe): string => String(firstPipe + pipes.push(pipe) - 1);
  const mounts = inOrder(plan.mounts);
  const options = [
    ...walls,
    ...(plan.network ? ['--share-net'] : []),
    ...(filter === undefined ? [] : ['--seccomp', descriptorOf(filter)]),
    ...Object.entries({ HOME: agentHome, ...plan.env }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...mounts.flatMap((mount) => buildArguments(mount, descriptorOf)),
    ...['--remount-ro', '/proc', '--remount-ro', '/dev'],
    // Folders between the mounts are in memory, too.
    ...(mounts.some(({ at }) => at === '/') ? [] : ['--remount-ro', '/']),
    ...['--chdir', plan.cwd],
  ];
  pipes[0] = options.map((option) => `${option}\0`).join('');
  const own = ['--json-status-fd', String(firstPipe + 1), '--args', String(firstPipe)];
  return { argv: [program, ...own, '--', ...plan.argv], pipes };
}

function buildArguments(mount: Mount, descriptorOf: (pipe: Pipe) => string): string[] {
  switch (mount.kind) {
    case 'read':
    case 'write': {
      const bind = mount.kind === 'read' ? '--ro-bind' : '--bind';
      if (mount.descriptor === undefined) return [bind, mount.from, mount.at];
      return [`${bind}-fd`, descriptorOf(mount.descriptor), mount.at];
    }
    case 'text':
      return ['--perms', '0644', '--file', descriptorOf(mount.text), mount.at];
    case 'memory':
      return ['--perms', mount.mode ?? '0755', '--size', String(mount.bytes), '--tmpfs', mount.at];
    case 'link':
      return ['--symlink', mount.to, mount.at];
    case 'processes':
      return ['--proc', mount.at];
    case 'devices':
      return ['--dev', mount.at];
  }
}
