import { askToLook } from '../tasks/ask-to-look.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** Events after which it is known whether a task can begin. */
const settling: ReadonlySet<string> = new Set(['plan.ready', 'plan.degraded', 'decision.opened', 'task.ended']);

/**
 * Waits until a task has a plan, asks about it, or has ended, and resolves to its state then. Where it takes longer, to the state so far.
 *
 * @throws HeddleError the reason why the task ended before it had a plan.
 */
export async function awaitPlan(handle: TaskHandle, milliseconds: number): Promise<string> {
  const signal = AbortSignal.timeout(milliseconds);
  for await (const event of handle.follow({ signal })) {
    if (!settling.has(event.type)) continue;
    if (event.type === 'task.ended' && event.state !== 'completed') await handle.result();
    break;
  }
  return (await askToLook(() => handle.status())).state;
}
