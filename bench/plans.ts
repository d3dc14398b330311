import { draftPages, storePlan } from '../activities/prepare/store-plan.ts';
import { FileStore } from '../activities/store/file-store.ts';
import type { PlanInput } from '../client/index.ts';
import type { TaskSettings } from '../domain/types/task-settings.ts';
import { completePlan } from '../domain/plan/complete-plan.ts';
import { unpackPlan } from '../domain/plan/pack-plan.ts';
import { parsePlan } from '../domain/plan/parse-plan.ts';
import type { BareInput } from './bare-messages.ts';
import { noopName, taskQueue } from './names.ts';

export const shapes = ['chain', 'wide'] as const;
export type Shape = (typeof shapes)[number];

/** `noop`: an activity that returns at once, so that orchestration is nearly all there is. `program`: a real process each time. */
export const kinds = ['noop', 'program'] as const;
export type Kind = (typeof kinds)[number];

/** Subtasks that run at once in the wide shape. */
export const parallel = 20;

const executors: Record<Kind, NonNullable<PlanInput['executor']>> = {
  noop: { kind: 'activity', name: noopName, taskQueue },
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

/** The same work for the bare workflow. */
export function barePlan(shape: Shape, kind: Kind, count: number, place: Place): Promise<BareInput> {
  const plan = heddlePlan(shape, kind, count, place.workspace);
  return bareInput(plan, shape === 'chain' ? 1 : parallel, place);
}

/** The place where a task would be prepared. */
export interface Place {
  workspace: string;
  host: string;
  hostQueue: string;
  /** The folder of the worker's store. */
  storeFolder: string;
}

/** Prepares a plan as `prepareTask` does, without a server: its pages are in the store when this resolves. */
export async function bareInput(plan: PlanInput, lanes: number, place: Place): Promise<BareInput> {
  const parsed = parsePlan(plan);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('; '));
  const { subtasks, ...said } = completePlan(parsed.plan);
  const { workspace, host, hostQueue, storeFolder } = place;
  const drafts = draftPages(said.goal, subtasks);
  const { rows, pages } = unpackPlan(await storePlan(new FileStore(storeFolder), subtasks, drafts));
  const [row] = rows;
  if (row === undefined) throw new Error('a plan without subtasks');
  const setting: TaskSettings = {
    ...said,
    id: 'bench',
    project: 'bench',
    workspace,
    host,
    hostQueue,
    searchAttributes: [],
  };
  return { setting, row, pages, subtasks: rows.map(({ id }) => id), parallel: lanes };
}
