import { mergeConfig } from '../config/merge.ts';
import { pick } from '../config/pick.ts';
import type { FrozenConfig } from '../config/layers.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import type { PlanProblem } from '../input/problem.ts';
import { formatPath } from '../input/problem.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import { chooseExecutor } from '../llm/choose-executor.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import { processPlanKeys } from '../schema/process-schema.ts';
import type { FilledPhase, FilledProcess } from '../types/process.ts';
import { checkDeliverables } from './check-process.ts';
import { ofPhases, processError } from './process-problem.ts';

/** A plan that was made of a process: as a plan file has it, and checked. */
export interface CompiledPlan {
  raw: Record<string, unknown>;
  plan: CheckedPlan;
}

/** Builds the keys of a task beside its subtasks: those that were sent, else those of the process. */
export function buildHead(process: FilledProcess, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { process: _, inputs: _inputs, subtasks: _subtasks, goal = process.goal, ...rest } = sent;
  if (typeof goal !== 'string' || goal.trim() === '') throw goalMissing(process);
  return { ...rest, goal, ...mergeConfig(process.head, pick(rest, processPlanKeys)) };
}

const goalMissing = ({ name }: FilledProcess): HeddleError =>
  new HeddleError({
    code: 'PROCESS_GOAL_MISSING',
    message: `The process ${name} has no goal of its own, and none was given.`,
    where: 'goal',
    hint: `Give it: heddle run --process ${name} "what is to be done".`,
  });

/** The phases as the subtasks of a plan. */
export function planPhases(
  process: FilledProcess,
  head: Readonly<Record<string, unknown>>,
  config: Pick<FrozenConfig, 'values' | 'models'>,
): Record<string, unknown> {
  return {
    ...head,
    ...(head['executor'] === undefined && config.values.executor === undefined
      ? { executor: chooseExecutor(config) }
      : {}),
    subtasks: process.phases.map((phase) => judge(phase, head, config)),
  };
}

/** A rule for a judge makes its phase judged, by no fewer judges than it has anyway. */
export function judge(
  { subtask, judged }: Pick<FilledPhase, 'subtask' | 'judged'>,
  head: Readonly<Record<string, unknown>>,
  { values }: Pick<FrozenConfig, 'values'>,
): Record<string, unknown> {
  const usual = Number(subtask['verification'] ?? head['verification'] ?? values.verification?.default ?? 1);
  return judged && usual < 2 ? { ...subtask, verification: 2 } : subtask;
}

/** Checks a plan that was made of a process: values may have made a path or a pattern of it that cannot be used. Throws. */
export function checkCompiled({ name }: FilledProcess, raw: Record<string, unknown>): CheckedPlan {
  const parsed = parsePlan(raw, 'later', { ofProcess: true });
  const shared = parsed.ok ? checkDeliverables(parsed.plan.subtasks) : [];
  const problems = [...(parsed.ok ? [] : parsed.problems.map(ofPhases)), ...shared];
  if (parsed.ok && problems.length === 0) return parsed.plan;
  throw processError(
    problems.map((problem) => withProcess(problem, name)),
    `process ${name}`,
  );
}

const withProcess = (problem: PlanProblem, name: string): PlanProblem => ({
  ...problem,
  where: `process ${name}, ${formatPath(problem.path)}`,
});

/** Tools that a process needs and that a task does not have here. */
export function findMissingTools({ tools, phases }: FilledProcess, available: ReadonlySet<string>): string[] {
  const ofPhasesTools = phases.flatMap(({ subtask }) => {
    const executor: unknown = subtask['executor'];
    const named: unknown =
      typeof executor === 'object' && executor !== null && 'tools' in executor ? executor.tools : undefined;
    return Array.isArray(named) ? named.map(String) : [];
  });
  return [...new Set([...tools.required, ...ofPhasesTools])].filter((tool) => !available.has(tool));
}

/** Refuses a process whose tools are not there. */
export function checkTools(process: FilledProcess, available: ReadonlySet<string>): void {
  const missing = findMissingTools(process, available);
  if (missing.length === 0) return;
  const list = missing.map((tool) => `\`${tool}\``).join(', ');
  throw new HeddleError({
    code: 'PROCESS_TOOL_MISSING',
    message: `The process ${process.name} needs ${list}, which ${missing.length === 1 ? 'is' : 'are'} not there.`,
    where: `process ${process.name}, tools.required`,
    hint: 'Set up what has the tool, such as the web or an MCP server, or use another process.',
  });
}
