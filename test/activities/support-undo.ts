// A process of its own for tests that kill it, or that need several: `undo` or `snapshot`, a home, a workspace, a task.
import { recordSnapshot } from '../../activities/workspace/snapshots.ts';
import { undoTask } from '../../activities/workspace/undo-task.ts';

const [what = '', root = '', workspace = '', task = ''] = process.argv.slice(2);
const parts = { root, env: process.env };
if (what === 'undo') await undoTask(parts, { task, subtask: null });
else {
  const writer = { task, subtask: 'only', undo: false };
  for (const moment of ['start', 'end'] as const) {
    const trouble = await recordSnapshot(parts, workspace, { writer, attempt: 1, moment, declared: [] });
    if (trouble !== undefined) throw new Error(trouble);
  }
}
