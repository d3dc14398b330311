import type { ProjectTest } from '../types/planner.ts';
import type { FrozenConfig } from '../config/layers.ts';
import { chooseExecutor } from '../llm/choose-executor.ts';
import { planPhases } from '../process/compile-process.ts';
import { planSchema } from '../schema/plan-schema.ts';
import { quoteName, type PlanProblem } from '../input/problem.ts';
import { isPlainObject } from './plain-object.ts';

/** The input of planning for a task without subtasks, as the task stores it: JSON. */
export interface PlanBrief {
  /** The plan as it was sent. */
  raw: Record<string, unknown>;
  config: FrozenConfig;
  /** The project's own test, where the plan has no checks for its end. */
  projectTest?: ProjectTest;
}

/** The task came without subtasks, so any of its plans may contain a model's text. */
export const isPlannedByModel = ({ raw }: PlanBrief): boolean => raw['subtasks'] === undefined;

/** A guided plan is that of its process: a result that the process leaves unchecked is shown, and nobody is asked about it. */
export const isOwnPlan = ({ process }: Pick<FrozenConfig, 'process'>): boolean => process?.mode === 'guided';

/**
 * The whole goal as one subtask, used when planning failed. It has the checks of the task's end, or the project's own test. A process has its
 * phases as they are.
 */
export function wholeGoal(brief: PlanBrief): Record<string, unknown> {
  const { process } = brief.config;
  if (process !== undefined) return planPhases(process, brief.raw, brief.config);
  const { verify, ...head } = brief.raw;
  const checks = verify ?? (brief.projectTest === undefined ? undefined : [brief.projectTest.command]);
  const whole = { id: 'execute-goal', description: head['goal'], ...(checks === undefined ? {} : { verify: checks }) };
  return plannedInput(brief, [whole], head);
}

/** Chooses the executor where neither plan nor config names one. */
export function plannedInput(
  brief: PlanBrief,
  subtasks: unknown,
  head: Record<string, unknown> = brief.raw,
): Record<string, unknown> {
  const { config } = brief;
  const hasExecutor = head['executor'] !== undefined || config.values.executor !== undefined;
  return {
    ...head,
    ...(hasExecutor || !isPlannedByModel(brief) ? {} : { executor: chooseExecutor(config) }),
    subtasks,
  };
}

/** Executors that a model may name: the agent, and the task's own default. */
export function namedExecutors({ raw, config }: PlanBrief): string[] {
  const chosen = raw['executor'] ?? config.values.executor ?? chooseExecutor(config);
  return typeof chosen === 'string' && chosen !== 'agent' ? ['agent', chosen] : ['agent'];
}

/** The refusal of a task that was started for its plan alone. */
export const planOnlyOfGoals: PlanProblem = {
  code: 'PLAN_NOT_SUPPORTED',
  message: 'This plan already has its subtasks: there is nothing to plan.',
  where: 'subtasks',
  hint: 'Remove `subtasks` to have the goal planned, or run the plan as it is.',
  path: ['subtasks'],
};

/** Keys that shape the subtasks alone. All others were settled when the task was prepared. */
const changeable = ['subtasks', 'executor', 'verification', 'voting', 'recovery'] as const;

const isChangeable = (key: string): boolean => (changeable as readonly string[]).includes(key);

/** Returns the keys of a plan that the task's brief does not hold. Together with the brief they are a plan file again. */
export function writtenPart(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => isChangeable(key)));
}

/** Returns written keys as the plan of a task. */
export const rewritten = (brief: PlanBrief, written: Record<string, unknown>): Record<string, unknown> =>
  plannedInput(brief, written['subtasks'], { ...brief.raw, ...written });

/** Checks a plan that a person gives instead of another: it must not change the keys that the task already uses. */
export function editedInput(
  brief: PlanBrief,
  given: Record<string, unknown>,
): { input: Record<string, unknown>; problems: PlanProblem[] } {
  const { raw } = brief;
  const settled = Object.keys(given).filter(
    (key) => !isChangeable(key) && JSON.stringify(given[key]) !== JSON.stringify(raw[key]),
  );
  return {
    input: rewritten(brief, given),
    problems: settled
      .filter((key) => Object.hasOwn(planSchema.shape, key))
      .map((key) => ({
        code: 'PLAN_NOT_SUPPORTED',
        message: `${quoteName(key)} cannot be changed after the task has begun.`,
        where: key,
        hint: 'Remove it, or start another task.',
        path: [key],
      })),
  };
}

/** A model may ask for more judges than the task has, never for fewer. */
export function keepJudges({ raw, config }: PlanBrief, subtasks: readonly unknown[]): unknown[] {
  const least = Number(raw['verification'] ?? config.values.verification?.default ?? 1);
  return subtasks.map((subtask) => {
    if (!isPlainObject(subtask)) return subtask;
    const { verification, ...rest } = subtask;
    return typeof verification === 'number' && verification < least ? rest : subtask;
  });
}
