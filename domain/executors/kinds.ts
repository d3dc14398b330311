import type * as z from 'zod';
import { activity } from './activity.ts';
import { agent } from './agent.ts';
import { command } from './command.ts';
import type { CallShape, ExecutorDefaults, Needs } from './kind.ts';

/**
 * Every kind of executor. A new kind needs its module, its line here, and its start: in `activities/execute/executor-for.ts` on the host of
 * the workspace, otherwise in `workflows/task/execute-by-kind.ts`.
 */
export const executorKinds = { command, activity, agent };

type Kinds = typeof executorKinds;
export type ExecutorKindName = keyof Kinds;

/** An executor in a checked plan, without defaults. */
type Planned = { [Kind in ExecutorKindName]: z.output<Kinds[Kind]['schema']> };
type Whole = { [Kind in ExecutorKindName]: ReturnType<Kinds[Kind]['complete']> };
type Calls = { [Kind in ExecutorKindName]: ReturnType<Kinds[Kind]['buildCall']> };

export type PlannedExecutor = Planned[ExecutorKindName];
export type Executor = Whole[ExecutorKindName];
/** The call of an executor by a workflow. The rest of the executor concerns only the called activity. */
export type ExecutorCall = Calls[ExecutorKindName] & CallShape;
/** The kinds that the host of the workspace runs, all by one activity. */
export type HostKind = {
  [Kind in ExecutorKindName]: Kinds[Kind]['inWorkspace'] extends true ? Kind : never;
}[ExecutorKindName];

/** The kinds as functions of their own values, so that a value finds its kind without a switch. */
const table: {
  [Kind in ExecutorKindName]: {
    complete(given: Planned[Kind], defaults: ExecutorDefaults): Whole[Kind];
    needs(executor: Whole[Kind]): Needs;
    variables(executor: Whole[Kind]): string[];
    buildCall(executor: Whole[Kind]): Calls[Kind];
    inWorkspace: boolean;
  };
} = executorKinds;

/** A value of the kind that its tag names. */
type Tagged<Values, Kind extends keyof Values> = { [K in Kind]: Values[K] & { kind: K } }[Kind];

export function completeExecutor<Kind extends ExecutorKindName>(
  given: Tagged<Planned, Kind>,
  defaults: ExecutorDefaults,
): Executor {
  return table[given.kind].complete(given, defaults);
}

export function listNeeds<Kind extends ExecutorKindName>(executor: Tagged<Whole, Kind>): Needs {
  return table[executor.kind].needs(executor);
}

export function listVariables<Kind extends ExecutorKindName>(executor: Tagged<Whole, Kind>): string[] {
  return table[executor.kind].variables(executor);
}

export function buildCall<Kind extends ExecutorKindName>(executor: Tagged<Whole, Kind>): ExecutorCall {
  return table[executor.kind].buildCall(executor);
}

export type HostExecutor = Whole[HostKind];

/** Decides if an executor works on files of the task's workspace. */
export const worksInWorkspace = (executor: Executor): executor is HostExecutor => table[executor.kind].inWorkspace;
