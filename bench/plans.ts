import type { PlanInput } from '../client/index.ts';
import type { DependencyResult } from '../domain/model/attempt.ts';
import { parsePlan } from '../domain/plan/parse-plan.ts';
import { completePlan } from '../domain/plan/complete-plan.ts';
import { buildPrompt } from '../domain/prompt/prompt.ts';
import type { Task } from '../domain/model/task.ts';
import type { BareInput } from './bare-messages.ts';
import { benchQueue, noopName } from './names.ts';

export const shapes = ['chain', 'wide'] as const;
export type Shape = (typeof shapes)[number];

/** `noop`: an activity that returns at once, so that orchestration is nearly all there is. `program`: a real process each time. */
export const kinds = ['noop', 'program'] as const;
export type Kind = (typeof kinds)[number];

/** Subtasks that run at once in the wide shape. */
export const parallel = 20;

const executors: Record<Kind, NonNullable<PlanInput['executor']>> = {
  noop: { kind: 'activity', name: noopName, taskQueue: benchQueue },
  program: { kind: 'command', run: ['echo', 'done'] },
};

export function heddlePlan(shape: Shape, kind: Kind, count: number, workspace: string): PlanInput {
  return {
    goal: `bench: ${shape} of ${count}`,
    workspace,
    maxParallelSubtasks: parallel,
    executor: executors[kind],
    subtasks: Array.from({ length: count }, (_, index) => ({
      id: `s${index + 1}`,
      description: `do nothing ${index + 1}`,
      dependsOn: shape === 'chain' && index > 0 ? [`s${index}`] : [],
    })),
  };
}

/** The same work for the bare workflow, with prompts of the same length. */
export function barePlan(shape: Shape, kind: Kind, count: number, place: Place): BareInput {
  const plan = heddlePlan(shape, kind, count, place.workspace);
  const template = taskOf({ ...plan, subtasks: plan.subtasks.slice(0, 1) }, place);
  const [definition] = template.subtasks;
  if (definition === undefined) throw new Error('a plan without subtasks');
  const prompt = buildPrompt({
    goal: plan.goal,
    subtask: { ...definition, description: '' },
    guidance: [],
    steering: [],
    retry: null,
    dependencies: shape === 'chain' ? [sample[kind]] : [],
  });
  const subtasks = plan.subtasks.map(({ id, description, dependsOn }) => ({
    id,
    description: description ?? '',
    dependsOn: dependsOn ?? [],
  }));
  return { template, subtasks, parallel: shape === 'chain' ? 1 : parallel, prompt: prompt.trimStart() };
}

/** What the one before it in a chain hands on. */
const common: DependencyResult = { id: 's100', status: 'success', notes: '', deliverables: [], preview: 'done' };
const sample: Record<Kind, DependencyResult> = { noop: { ...common, notes: 'done' }, program: common };

/** Where a task would be prepared. */
export interface Place {
  workspace: string;
  host: string;
  hostQueue: string;
}

/** A complete task as `prepareTask` makes it, without a server. */
export function taskOf(plan: PlanInput, place: Place): Task {
  const parsed = parsePlan(plan);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('; '));
  return {
    ...completePlan(parsed.plan),
    id: 'bench',
    project: 'bench',
    ...place,
    searchAttributes: [],
  };
}
