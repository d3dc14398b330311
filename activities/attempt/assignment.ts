import type { AgentExecutor } from '../../domain/executors/agent.ts';
import { worksInWorkspace, type HostExecutor } from '../../domain/executors/kinds.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { AgentInput } from '../../domain/types/agent.ts';
import type { ExecuteInput } from '../../domain/types/attempt.ts';
import type { CommandExecutor } from '../../domain/types/subtask.ts';
import type { Store } from '../store/store.ts';
import { definitionFrom, type Definition } from '../pages/plan-pages.ts';

/** What one attempt is to do, by the plan and by what this attempt is told. */
export interface Assignment<Executor extends HostExecutor = HostExecutor> extends Definition {
  executor: Executor;
  input: ExecuteInput;
  /** Where it works: the workspace, or the subtask's own copy of it. */
  workspace: string;
  /** What one that spends is told besides. */
  agent: AgentInput;
}

export type CommandAssignment = Assignment<CommandExecutor>;
export type AgentAssignment = Assignment<AgentExecutor>;

/** Where a workflow says nothing: no limit, nobody's answer, nothing known of the rest. */
const toldNothing: AgentInput = { grant: {}, resume: null, brief: { counts: {}, subtasks: [] }, outputFactor: 1 };

export async function readAssignment(store: Pick<Store, 'get'>, input: ExecuteInput): Promise<Assignment> {
  const definition = await definitionFrom(store, input.plan, input.subtaskId);
  const { executor } = definition.subtask;
  if (!worksInWorkspace(executor)) {
    throw new HeddleError({
      code: 'PLAN_PAGE_WITHOUT_SUBTASK',
      message: `The page of the plan has no program for the subtask "${definition.subtask.id}": its executor is of kind ${executor.kind}`,
    });
  }
  return { ...definition, executor, input, workspace: input.workspace, agent: input.agent ?? toldNothing };
}
