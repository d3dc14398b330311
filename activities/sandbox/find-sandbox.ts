import { lastLines, oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits.ts';
import { findProgram } from '../programs/find-program.ts';
import { runProgram } from '../programs/run-program.ts';
import { sandboxStart } from './sandbox-arguments.ts';
import { seeSystem } from './see-machine.ts';
import { ownFiles, ownFolders } from './stand-ins.ts';

/** What keeps commands of agents away from the rest of the machine. */
export type Sandbox =
  | {
      kind: 'bubblewrap';
      /** Where it is, and what it says of itself. */
      program: string;
      version: string;
    }
  /** `why` completes "there is no sandbox: ...". */
  | { kind: 'none'; why: string };

let found: Promise<Sandbox> | undefined;

/** Finds out once per process by running it: that it is installed does not mean that the system lets it work. */
export function findSandbox(): Promise<Sandbox> {
  return (found ??= probeSandbox(process.env['PATH']));
}

export async function probeSandbox(path: string | undefined): Promise<Sandbox> {
  if (process.platform !== 'linux') return none('bubblewrap, which makes it, runs on Linux only');
  const program = await findProgram('bwrap', { path, cwd: '/' });
  if (program === undefined) return none('bubblewrap is not installed');
  const { text: version } = await run([program, '--version']);
  const { ok, text } = await tryOut(program);
  if (ok) return { kind: 'bubblewrap', program, version };
  return none(explain(text || 'it ended without a word', version));
}

const none = (why: string): Sandbox => ({ kind: 'none', why });

/** All that every command needs, but a workspace. */
async function tryOut(program: string): Promise<{ ok: boolean; text: string }> {
  const mounts = [...(await seeSystem({ network: false })), ...ownFolders, ...ownFiles];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const { argv, pipes } = sandboxStart(program, { mounts, network: false, env, cwd: '/tmp', argv: ['sh', '-c', ':'] });
  return run(argv, pipes);
}

async function run(
  argv: readonly string[],
  pipes: NonNullable<Parameters<typeof runProgram>[0]['pipes']> = [],
): Promise<{ ok: boolean; text: string }> {
  const { probeTimeout: timeout } = activityLimits.commands;
  const result = await runProgram({ argv, cwd: '/', env: {}, timeout, pipes });
  const said = oneLine(lastLines(result.stderrTail || result.stdoutTail, 1));
  return { ok: result.exitCode === 0, text: result.startError?.message ?? said };
}

/** In words; its own follow. */
function explain(said: string, version: string): string {
  if (/unknown option/i.test(said)) return `${version} is too old, 0.8 or newer is needed (${said})`;
  if (/namespace|uid map|not permitted|permission denied/i.test(said))
    return `bubblewrap is installed, but the system does not allow it to separate programs (${said})`;
  return `bubblewrap is installed, but does not work here (${said})`;
}
