import { HeddleError } from '../../domain/heddle-error.ts';
import type { ExecuteInput } from '../../domain/model/attempt.ts';
import type { CommandExecutor, Subtask } from '../../domain/model/subtask.ts';
import type { Store } from '../store/store.ts';
import { definitionFrom } from '../task/plan-pages.ts';

/** What one attempt is to do, by the plan and by what this attempt is told. */
export interface Assignment {
  input: ExecuteInput;
  goal: string;
  subtask: Subtask;
  /** Names of variables whose values must not show up anywhere: those of the whole task. */
  variables: string[];
  executor: CommandExecutor;
  /** Where the program works: the workspace, or the subtask's own copy of it. */
  workspace: string;
}

export async function readAssignment(store: Pick<Store, 'get'>, input: ExecuteInput): Promise<Assignment> {
  const { goal, subtask, variables } = await definitionFrom(store, input.plan, input.subtaskId);
  const { executor } = subtask;
  if (executor.kind !== 'command') {
    throw new HeddleError({
      code: 'PLAN_PAGE_WITHOUT_SUBTASK',
      message: `The page of the plan has no program for the subtask "${subtask.id}": its executor is of kind ${executor.kind}`,
    });
  }
  return { input, goal, subtask, variables, executor, workspace: input.workspace };
}
