import type { Lost } from '../../../domain/attempt/take-outcome.ts';
import type { ExecuteInput } from '../../../domain/types/attempt.ts';
import type { Outcome, ResourceUsage } from '../../../domain/types/outcome.ts';
import type { PlanRow } from '../../../domain/types/plan.ts';
import { nothingUsed } from '../../../domain/llm/usage.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { AttemptTiming } from '../../../workflows/task/activity-options.ts';
import { executeByKind } from '../../../workflows/task/execute-by-kind.ts';
import { explain } from '../../../workflows/shared/explain-failure.ts';

/** The outcome of one execution, and how many bytes it asked to start. */
export interface ExecutedOnce {
  outcome: Outcome | Lost;
  admitted: number[];
}

/** A workflow of one execution. */
export async function executeOnce(
  setting: TaskSettings,
  row: PlanRow,
  call: AttemptTiming,
  input: ExecuteInput,
  usedBefore: ResourceUsage = nothingUsed,
): Promise<ExecutedOnce> {
  const admitted: number[] = [];
  const admit = (bytes: number): Promise<void> => {
    admitted.push(bytes);
    return Promise.resolve();
  };
  const outcome = await executeByKind(row, { settings: setting, call, input, admit, usedBefore }).catch(explain);
  return { outcome, admitted };
}
