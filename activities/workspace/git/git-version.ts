import { activityLimits } from '../../limits/activity-limits.ts';
import { findOwnProgram, ownPath } from '../../programs/own-programs.ts';
import { runOwnGit } from './run-git.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

/** Reads the version that git prints; undefined when it is not there. */
export async function gitVersion(path: string | undefined): Promise<string | undefined> {
  try {
    const program = findOwnProgram('git', { path });
    const place = { cwd: '/', env: { PATH: ownPath(path), LC_ALL: 'C' }, program };
    const deadline = performance.now() + activityLimits.workspace.snapshotTimeout;
    return (await runOwnGit(place, ['--version'], { deadline })).stdout.toString('utf8').trim();
  } catch (error) {
    if (error instanceof SnapshotTrouble) return undefined;
    throw error;
  }
}
