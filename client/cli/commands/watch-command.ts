import type { Context } from '../shared/context.ts';
import { followToEnd } from '../../terminal/follow/follow-to-end.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { withTask } from './find-task.ts';

export function watchCommand(
  context: Context,
  task: string,
  options: { since?: number; exitOnDecision?: boolean },
): Promise<number> {
  return withTask(context, task, async (handle, endpoint) => {
    // Says at once that there is no such task, or that nobody can answer.
    await askToLook(() => handle.status());
    const { since = 0, exitOnDecision = false } = options;
    return followToEnd(context, { endpoint, handle, since, exitOnDecision });
  });
}
