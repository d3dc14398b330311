import { limits } from '../../domain/limits/domain-limits.ts';
import type { DependencyResult } from '../../domain/types/attempt.ts';
import type { Finished } from '../../domain/types/outcome.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { clip } from '../../domain/text/text.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';

/** Keeps what the dependents of a subtask are given of an attempt that passed. `workspace` is the task's, with the result in it. */
export async function storeResult(
  store: Pick<Store, 'put'>,
  workspace: string,
  {
    task,
    subtask,
    execution,
    evidence,
  }: { task: string; subtask: Subtask; execution: Finished; evidence?: Ref | undefined },
): Promise<Ref> {
  const { contract, preview, output } = execution;
  const touched = new Set([...subtask.deliverables, ...(contract?.deliverablesTouched ?? [])]);
  const deliverables = [...touched].slice(0, activityLimits.stampedFiles);
  // A later run compares these, to know whether this result still stands.
  const files = await stampDeliverables(workspace, deliverables);
  const result: DependencyResult = {
    id: subtask.id,
    status: contract?.status === 'partial' ? 'partial' : 'success',
    notes: clip(contract?.notes ?? '', limits.preview),
    deliverables,
    preview,
    task,
    ...(output === undefined ? {} : { output }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(files.length === 0 ? {} : { files }),
  };
  return store.put(JSON.stringify(result));
}
