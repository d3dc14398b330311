import type { AgentExecutor } from '../../domain/executors/agent.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import type { GateRules } from '../../domain/gates/gate.ts';
import type { AgentInput } from '../../domain/model/agent.ts';
import type { ExecuteInput } from '../../domain/model/attempt.ts';
import type { Model } from '../../domain/model/models.ts';
import type { SandboxSetting } from '../../domain/model/sandbox.ts';
import type { CommandExecutor, Subtask } from '../../domain/model/subtask.ts';
import type { Store } from '../store/store.ts';
import { definitionFrom } from '../task/plan-pages.ts';

/** What one attempt is to do, by the plan and by what this attempt is told. */
interface Common {
  input: ExecuteInput;
  goal: string;
  subtask: Subtask;
  /** Names of variables whose values must not show up anywhere: those of the whole task. */
  variables: string[];
  /** Of the config, as the task froze them. */
  gates: GateRules;
  /** Where it works: the workspace, or the subtask's own copy of it. */
  workspace: string;
}

export interface CommandAssignment extends Common {
  kind: 'command';
  executor: CommandExecutor;
}

export interface AgentAssignment extends Common {
  kind: 'agent';
  executor: AgentExecutor;
  agent: AgentInput;
  /** As the task froze them. */
  models: Model[];
  readRoots: string[];
  sandbox: SandboxSetting;
}

export type Assignment = CommandAssignment | AgentAssignment;

/** Where a workflow of an earlier version says nothing: no limit, nobody's answer, nothing known of the rest. */
const toldNothing: AgentInput = { grant: {}, resume: null, brief: { counts: {}, subtasks: [] }, outputFactor: 1 };

export async function readAssignment(store: Pick<Store, 'get'>, input: ExecuteInput): Promise<Assignment> {
  const definition = await definitionFrom(store, input.plan, input.subtaskId);
  const { goal, subtask, variables, gates, models, readRoots, sandbox } = definition;
  const { executor } = subtask;
  const common = { input, goal, subtask, variables, gates, workspace: input.workspace };
  switch (executor.kind) {
    case 'command':
      return { kind: 'command', ...common, executor };
    case 'agent':
      return { kind: 'agent', ...common, executor, agent: input.agent ?? toldNothing, models, readRoots, sandbox };
    case 'activity':
      throw new HeddleError({
        code: 'PLAN_PAGE_WITHOUT_SUBTASK',
        message: `The page of the plan has no program for the subtask "${subtask.id}": its executor is of kind ${executor.kind}`,
      });
  }
}
