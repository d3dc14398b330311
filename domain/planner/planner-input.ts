import type { ProjectTest } from '../types/planner.ts';
import type { FrozenConfig } from '../config/layers.ts';
import { planSchema } from '../schema/plan-schema.ts';
import { quote, type PlanProblem } from '../input/problem.ts';
import { isPlainObject } from './plain-object.ts';

/** What a task that came without subtasks freezes for the model that plans it: JSON. */
export interface PlanBrief {
  /** As it was sent. */
  raw: Record<string, unknown>;
  config: FrozenConfig;
  /** How the project tests itself, where the plan does not say how its end is checked. */
  projectTest?: ProjectTest;
}

/** The task came without subtasks: what a model wrote may be in every plan of it. */
export const isOfModel = ({ raw }: PlanBrief): boolean => raw['subtasks'] === undefined;

/** The whole goal as one subtask: what is left where no plan could be made. It is checked as the task's end is, else as the project tests itself. */
export function wholeGoal(brief: PlanBrief): Record<string, unknown> {
  const { verify, ...head } = brief.raw;
  const checks = verify ?? (brief.projectTest === undefined ? undefined : [brief.projectTest.command]);
  const whole = { id: 'execute-goal', description: head['goal'], ...(checks === undefined ? {} : { verify: checks }) };
  return plannedInput(brief, [whole], head);
}

/** Who does the work where neither plan nor config says: a goal in words is for an agent. */
export function plannedInput(
  brief: PlanBrief,
  subtasks: unknown,
  head: Record<string, unknown> = brief.raw,
): Record<string, unknown> {
  const { config } = brief;
  const hasExecutor = head['executor'] !== undefined || config.values.executor !== undefined;
  return { ...head, ...(hasExecutor || !isOfModel(brief) ? {} : { executor: 'agent' }), subtasks };
}

/** Executors that a model may name: the agent, and what does all other work of this task. */
export function namedExecutors({ raw, config }: PlanBrief): string[] {
  const chosen = raw['executor'] ?? config.values.executor;
  return typeof chosen === 'string' && chosen !== 'agent' ? ['agent', chosen] : ['agent'];
}

/** Of a task that is started for its plan alone. */
export const planOnlyOfGoals: PlanProblem = {
  code: 'PLAN_NOT_SUPPORTED',
  message: 'This plan has its subtasks already: there is nothing to plan.',
  where: 'subtasks',
  hint: 'Remove `subtasks` to have the goal planned, or run the plan as it is.',
  path: ['subtasks'],
};

/** Keys of a plan that shape its subtasks alone. All others were settled when the task was prepared. */
const changeable = ['subtasks', 'executor', 'verification', 'voting', 'recovery'] as const;

const isChangeable = (key: string): boolean => (changeable as readonly string[]).includes(key);

/** What a plan says besides what the task obeys already: with the brief of a task it is a plan again. */
export function writtenPart(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => isChangeable(key)));
}

/** What was written, as the plan of a task. */
export const rewritten = (brief: PlanBrief, written: Record<string, unknown>): Record<string, unknown> =>
  plannedInput(brief, written['subtasks'], { ...brief.raw, ...written });

/** A plan that a person gives in place of another: what it says about the task itself must be what the task obeys already. */
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
        message: `${quote(key)} cannot be changed any more: the task has begun with it.`,
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
