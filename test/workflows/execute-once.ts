import type { Lost } from '../../domain/course/attempts.ts';
import type { ExecuteInput } from '../../domain/model/attempt.ts';
import type { Outcome, Used } from '../../domain/model/outcome.ts';
import type { PlanRow } from '../../domain/model/plan.ts';
import { nothingUsed } from '../../domain/task/used.ts';
import type { Setting } from '../../domain/model/setting.ts';
import type { Call } from '../../workflows/activity-options.ts';
import { executeByKind } from '../../workflows/execute-by-kind.ts';
import { explain } from '../../workflows/explain-failure.ts';

/** What one execution came to, and how many bytes it asked to start. */
export interface ExecutedOnce {
  outcome: Outcome | Lost;
  admitted: number[];
}

/** A workflow of one execution. */
export async function executeOnce(
  setting: Setting,
  row: PlanRow,
  call: Call,
  input: ExecuteInput,
  usedBefore: Used = nothingUsed,
): Promise<ExecutedOnce> {
  const admitted: number[] = [];
  const admit = (bytes: number): Promise<void> => {
    admitted.push(bytes);
    return Promise.resolve();
  };
  const outcome = await executeByKind(row, { setting, call, input, admit, usedBefore }).catch(explain);
  return { outcome, admitted };
}
