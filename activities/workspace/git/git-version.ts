import { activityLimits } from '../../limits.ts';
import { runGit } from './run-git.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

/** What git says of itself; undefined when it is not there. */
export async function gitVersion(path: string | undefined): Promise<string | undefined> {
  try {
    const place = { cwd: '/', env: { PATH: path ?? '', LC_ALL: 'C' } };
    const deadline = performance.now() + activityLimits.workspace.snapshotTimeout;
    return (await runGit(place, ['--version'], { deadline })).stdout.toString('utf8').trim();
  } catch (error) {
    if (error instanceof SnapshotTrouble) return undefined;
    throw error;
  }
}
