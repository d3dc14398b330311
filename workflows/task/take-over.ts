import { ActivityFailure, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { orderForReuse } from '../../domain/reuse/reusable-work.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Reuse } from '../../domain/types/reuse.ts';
import { pageOf, rowOf, rowsOf, settingsOf } from '../../domain/task/read-state.ts';
import { clip } from '../../domain/text/text.ts';
import { recheckOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/**
 * Takes over what an earlier task completed. Verify commands run again first, dependencies before dependents: where one fails, or cannot
 * be run, the subtask and all behind it are not taken over and run as any other.
 */
export async function takeOver(run: TaskRun, reuse: Reuse): Promise<void> {
  const finished = new Map(reuse.subtasks.map((each) => [each.id, each]));
  const dropped = new Set(rowsOf(run.state).flatMap(({ id }) => (finished.has(id) ? [] : [id])));
  for (const { id, dependsOn, synthesis } of orderForReuse(rowsOf(run.state))) {
    const work = finished.get(id);
    if (work === undefined) continue;
    const reason = await whyNot(run, id, { dependsOn, synthesis, dropped });
    if (reason === null) {
      const { verdict, result, evidence } = work;
      const reused = { task: reuse.task, result, ...(evidence === undefined ? {} : { evidence }) };
      run.record({ type: 'subtask.completed', subtask: id, verdict, reused });
    } else {
      dropped.add(id);
      run.record({ type: 'subtask.requeued', subtask: id, task: reuse.task, reason });
    }
    run.publish();
  }
  for (const { id, page } of reuse.evidence ?? [])
    if (dropped.has(id)) run.record({ type: 'evidence.taken', subtask: id, page });
}

interface SubtaskPosition {
  dependsOn: readonly string[];
  synthesis: boolean;
  /** Subtasks that are not taken over. */
  dropped: ReadonlySet<string>;
}

async function whyNot(
  run: TaskRun,
  id: string,
  { dependsOn, synthesis, dropped }: SubtaskPosition,
): Promise<string | null> {
  const again = dependsOn.find((dependency) => dropped.has(dependency));
  if (again !== undefined) return `${again} runs again.`;
  const combined = synthesis ? rowsOf(run.state).find((row) => !row.synthesis && dropped.has(row.id)) : undefined;
  if (combined !== undefined) return `${combined.id}, which it combines, runs again.`;
  const { commands } = rowOf(run.state, id);
  if (commands === 0) return null;
  const settings = settingsOf(run.state);
  const { verifyTimeout, workspace } = settings;
  const { sha256, bytes } = pageOf(run.state, id);
  const { recheckSubtask } = proxyActivities<HostActivities>(recheckOptions(settings, id, commands));
  const { failed } = await recheckSubtask({
    taskId: run.state.id,
    subtaskId: id,
    chain: workflowInfo().firstExecutionRunId,
    plan: { sha256, bytes },
    workspace,
    ...(verifyTimeout === undefined ? {} : { commandTimeout: verifyTimeout }),
  }).catch((error: unknown) => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { failed: `Its verify commands could not be run: ${error.cause?.message ?? error.message}` };
  });
  return failed === null ? null : clip(failed, limits.summary);
}
