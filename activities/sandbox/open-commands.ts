import type { SandboxSetting } from '../../domain/types/basic/gate.ts';
import type { CommandPort } from './command.ts';
import { findSandbox, type Sandbox } from './find-sandbox.ts';
import { isBelow } from './mounts/mount.ts';
import { findWayOut } from './network/find-way-out.ts';
import { runCommand, type CommandPlace } from './run-command.ts';

/** Opens the place where the commands of an attempt run, by the config and by what this machine can do. */
export async function openCommands(
  { mode, network }: SandboxSetting,
  place: Omit<CommandPlace, 'network' | 'wayOut' | 'sandbox'>,
  find: () => Promise<Sandbox> = findSandbox,
): Promise<CommandPort> {
  const candidate =
    network && (mode === 'auto' || mode === 'require') ? await findWayOut(place.environment) : undefined;
  const wayOut = candidate?.kind === 'slirp4netns' && isWayOutOutside(candidate, place) ? candidate : undefined;
  const open = (sandbox: string | undefined, sandboxed: boolean): CommandPort => ({
    sandboxed,
    reachesMachine: sandbox !== undefined && network && wayOut === undefined,
    keepsSettings: sandbox !== undefined,
    walled: sandbox !== undefined,
    run: (command) => runCommand(command, { ...place, network, wayOut, sandbox }),
  });
  switch (mode) {
    case 'off':
      return open(undefined, false);
    case 'container':
      return open(undefined, true);
    case 'auto': {
      const candidate = await find();
      return candidate.kind === 'bubblewrap' && isOutside(candidate.program, place)
        ? open(candidate.program, true)
        : open(undefined, false);
    }
    case 'require': {
      const candidate = await find();
      if (candidate.kind === 'none') return refusing(candidate.why);
      if (!isOutside(candidate.program, place)) return refusing('bubblewrap was found in the workspace itself');
      return open(candidate.program, true);
    }
  }
}

/** A program that an agent can write is not used to confine it. */
const isOutside = (program: string, { workspace }: Pick<CommandPlace, 'workspace'>): boolean =>
  !isBelow(workspace, program);

const isWayOutOutside = (
  { slirp, ip, unshare }: Readonly<Record<'slirp' | 'ip' | 'unshare', string>>,
  place: Pick<CommandPlace, 'workspace'>,
): boolean => [slirp, ip, unshare].every((program) => isOutside(program, place));

/** The task was prepared where there was one, or the machine has changed since: nothing runs outside of it. */
const refusing = (why: string): CommandPort => ({
  sandboxed: true,
  reachesMachine: false,
  keepsSettings: true,
  walled: true,
  run: () =>
    Promise.resolve({ kind: 'not-started', why: `The config requires a sandbox, and there is none here: ${why}.` }),
});
