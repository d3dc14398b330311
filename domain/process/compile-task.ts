import type { FrozenConfig } from '../config/layers.ts';
import { valueAt } from '../input/problem.ts';
import { isTable } from '../input/is-table.ts';
import { toolNames } from '../executors/agent.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import type { FilledProcess } from '../types/process.ts';
import { checkInputs, inputError } from './check-inputs.ts';
import { buildHead, checkCompiled, checkTools, planPhases, type CompiledPlan } from './compile-process.ts';
import { fillProcess } from './fill-process.ts';
import type { Process } from './parse-process.ts';
import type { InputValues } from './templates.ts';

/** The plan of a task with a process: its phases, and the same without subtasks where a planner fills them. */
export interface CompiledTask {
  process: FilledProcess;
  /** The values of the inputs, defaults filled in. */
  values: InputValues;
  phases: CompiledPlan;
  goal: CompiledPlan;
}

/** Makes the plan of a task of its process. Throws everything that is wrong with inputs, goal, tools and paths. */
export function compileTask(process: Process, sent: unknown, config: FrozenConfig): CompiledTask {
  const given = valueAt(sent, ['inputs']);
  const { values, problems } = checkInputs(process.checked.inputs ?? {}, isTable(given) ? given : {});
  if (problems.length > 0) throw inputError(problems);
  const filled = fillProcess(process, values);
  checkTools(filled, new Set<string>(toolNames));
  const head = buildHead(filled, isTable(sent) ? sent : {});
  const raw = planPhases(filled, head, config);
  const phases = { raw, plan: checkCompiled(filled, raw) };
  return { process: filled, values, phases, goal: { raw: head, plan: parseHead(filled, head) } };
}

function parseHead(process: FilledProcess, head: Record<string, unknown>): CompiledPlan['plan'] {
  const parsed = parsePlan(head, 'later');
  // Its problems are those of the phases too.
  return parsed.ok ? parsed.plan : checkCompiled(process, head);
}

/** Why the phases of a process are the plan as they are, though a planner could fill them. */
export const noPlannerReason = 'In this version no planner fills the phases of a process.';
