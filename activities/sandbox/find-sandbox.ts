import { lastLines, oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import { runProgram } from '../programs/run-program.ts';
import type { Pipe } from '../programs/start-program.ts';
import { withHeld } from './mounts/hold-mounts.ts';
import type { Mount } from './mounts/mount.ts';
import { sandboxStart } from './sandbox-arguments.ts';
import { seeSystem } from './mounts/machine-mounts.ts';
import { commandFiles, commandFolders } from './mounts/placeholder-files.ts';

/** The program that keeps commands of agents away from the rest of the machine. */
export type Sandbox =
  | {
      kind: 'bubblewrap';
      /** The path of bubblewrap, and the version that it prints. */
      program: string;
      version: string;
    }
  /** `why` completes "there is no sandbox: ...". */
  | { kind: 'none'; why: string };

let sandbox: Promise<Sandbox> | undefined;

/** Finds out once per process by running it: that it is installed does not mean that the system lets it work. */
export function findSandbox(): Promise<Sandbox> {
  return (sandbox ??= probeSandbox(process.env['PATH']));
}

export async function probeSandbox(path: string | undefined): Promise<Sandbox> {
  if (process.platform !== 'linux') return none('bubblewrap, which makes it, runs on Linux only');
  const program = findOwnProgram('bwrap', { path });
  if (program === undefined) return none('bubblewrap is not installed');
  const { text: version } = await run([program, '--version']);
  const { ok, text } = await tryOut(program);
  if (ok) return { kind: 'bubblewrap', program, version };
  return none(explain(text || 'it ended without a word', version));
}

const none = (why: string): Sandbox => ({ kind: 'none', why });

/** Runs bubblewrap with all that every command needs, and some folder as the workspace. */
async function tryOut(program: string): Promise<{ ok: boolean; text: string }> {
  const mounts: Mount[] = [...(await seeSystem({ network: false })), ...commandFolders, ...commandFiles];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const some: Mount = { kind: 'read', at: '/tmp/held', from: '/usr', held: true };
  return withHeld([...mounts, some], (held) => {
    const plan = { mounts: held, network: false, env, cwd: '/tmp', argv: ['sh', '-c', ':'] };
    const { argv, pipes } = sandboxStart(program, plan);
    return run(argv, pipes);
  });
}

async function run(argv: readonly string[], pipes: readonly Pipe[] = []): Promise<{ ok: boolean; text: string }> {
  const { probeTimeout: timeout } = activityLimits.commands;
  const result = await runProgram({ argv, cwd: '/', env: {}, timeout, pipes });
  const output = oneLine(lastLines(result.stderrTail || result.stdoutTail, 1));
  return { ok: result.exitCode === 0, text: result.startError?.message ?? output };
}

/** In words; its own follow. */
function explain(output: string, version: string): string {
  if (/unknown option/i.test(output)) return `${version} is too old, one of 2024 or later is needed (${output})`;
  if (/namespace|uid map|not permitted|permission denied/i.test(output))
    return `bubblewrap is installed, but the system does not allow it to separate programs (${output})`;
  return `bubblewrap is installed, but does not work here (${output})`;
}
