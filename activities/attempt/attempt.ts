import type { AgentExecutor } from '../../domain/executors/agent.ts';
import { worksInWorkspace, type HostExecutor } from '../../domain/executors/kinds.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { AgentInput } from '../../domain/types/agent.ts';
import type { AttemptKey, ExecuteInput } from '../../domain/types/attempt.ts';
import type { CommandExecutor } from '../../domain/types/subtask.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import type { Store } from '../store/store.ts';
import { definitionFrom, type Definition } from '../pages/plan-pages.ts';

/**
 * One attempt as this host carries it, from the activity's input to the record of its end. Other values stand for a part of its life:
 *
 * - `AttemptExecution`: one execution, by the kind of its executor. An attempt has several after a suspension or a crash.
 * - `LiveExecution`: that execution in this process, which the tries of the activity join.
 * - `ActivityTry`: one try of the activity by Temporal, and `ScheduledTry`: the scheduling that it belongs to.
 * - `RunningRecord`: the facts of the attempt that this host stores, and `OwnedRecord`: these facts in the hands of the execution that owns them.
 */
export interface Attempt<Executor extends HostExecutor = HostExecutor> extends Definition {
  executor: Executor;
  /** The part that the workflow sends: the key of the attempt, its rung, its prompt context. */
  input: ExecuteInput;
  /** The folder in which it works: the workspace, or the subtask's own copy of it. */
  workspace: string;
  /** The part of the input that only executors with a grant have. */
  agent: AgentInput;
  /** The traces that it leaves in the home of this host. */
  paths: AttemptPaths;
  /** Texts of lessons for its prompt. */
  lessons?: readonly string[];
}

export type CommandAttempt = Attempt<CommandExecutor>;
export type AgentAttempt = Attempt<AgentExecutor>;

/** Holds when a workflow sends nothing for an agent: no limit, no answer of a person, nothing about other subtasks. */
const emptyInput: AgentInput = { grant: {}, resume: null, brief: { counts: {}, subtasks: [] }, outputFactor: 1 };

export async function readAttempt(
  store: Pick<Store, 'get'>,
  input: ExecuteInput,
  paths: AttemptPaths,
): Promise<Attempt> {
  const definition = await definitionFrom(store, input.plan, input.subtaskId);
  const { executor } = definition.subtask;
  if (!worksInWorkspace(executor)) {
    throw new HeddleError({
      code: 'PLAN_PAGE_WITHOUT_SUBTASK',
      message: `The page of the plan has no program for the subtask "${definition.subtask.id}": its executor is of kind ${executor.kind}`,
    });
  }
  return { ...definition, executor, input, workspace: input.workspace, agent: input.agent ?? emptyInput, paths };
}

/** The attempt as lines of a log name it. */
export const describeAttempt = ({
  taskId,
  subtaskId,
  attempt,
}: Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt'>): { task: string; subtask: string; attempt: number } => ({
  task: taskId,
  subtask: subtaskId,
  attempt,
});
