import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import { formatList } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { readNamedPrograms, type RepositoryPlace } from './repository.ts';

/**
 * Finds the programs that are named by the settings of the repositories that git will find in these folders. In a sandbox they can do little harm; without one,
 * what they name is asked about, and so is what cannot be read.
 */
export async function assessRepositories(
  folders: readonly string[],
  context: RepositoryPlace,
  { byShell }: { byShell: boolean },
): Promise<GateRuling> {
  if (context.commands.sandboxed) return { kind: 'allow' };
  if (folders.length > activityLimits.commands.repositories)
    return asks('It looks into more repositories than can be read beforehand, and there is no sandbox.');
  for (const folder of folders) {
    const programs = await readNamedPrograms(context, { folder, byShell });
    if (programs === undefined)
      return asks('The settings of the repository cannot be read, and there is no sandbox for what they may run.');
    if (programs.length > 0)
      return asks(
        `The settings of the repository make git run programs (${formatList(programs)}), and there is no sandbox.`,
      );
  }
  return { kind: 'allow' };
}

const asks = (why: string): GateRuling => ({ kind: 'ask', danger: 'code', why, signature: null });
