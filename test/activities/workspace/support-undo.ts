// A process of its own for tests that kill it, or that need several: `undo`, `snapshot` or `hold` (the lock), a home, a workspace, a task.
import { writeFileSync } from 'node:fs';
import { openRepository, recordSnapshot } from '../../../activities/workspace/snapshots/snapshots.ts';
import { undoTask } from '../../../activities/workspace/undo/undo-task.ts';
import { withWorkspaceLock } from '../../../activities/workspace/snapshots/workspace-lock.ts';

const [what = '', root = '', workspace = '', task = ''] = process.argv.slice(2);
const parts = { root, environment: process.env };
if (what === 'undo') await undoTask(parts, { task, subtask: null });
else if (what === 'hold') {
  const { folder } = openRepository(parts, workspace);
  await withWorkspaceLock(folder, Infinity, () => {
    writeFileSync(`${workspace}/held`, 'held\n');
    return new Promise(() => setInterval(() => undefined, 1_000));
  });
} else {
  const writer = { task, subtask: 'only', undo: false };
  for (const moment of ['start', 'end'] as const) {
    const trouble = await recordSnapshot(parts, workspace, { writer, attempt: 1, moment, declared: [] });
    if (trouble !== undefined) throw new Error(trouble);
  }
}
