import type * as z from 'zod';

/** A requirement of a task before it starts, and the key of the executor that causes it. */
export interface Need {
  name: string;
  key: string;
}

/** Requirements that the preflight checks on the host of the executor. They are data: `prepareTask` checks them. */
export interface Needs {
  programs: Need[];
  variables: Need[];
  models: ModelNeed[];
  /** Programs that cost money and do not report how much. */
  unpriced?: Need[];
}

/** A model that serves a role, or one by its name. `key`: of the executor, of the subtask where it is judged, or of the plan. */
export interface ModelNeed {
  role: 'executor' | 'verifier' | 'planner';
  name?: string;
  key: string;
}

/** Defaults for keys that an executor does not set. */
export interface ExecutorDefaults {
  timeout: number;
}

/** A map with `kind`, as a plan writes it. Keys that two kinds share have one schema, since a config may change the kind of an executor. */
type KindSchema = z.ZodType<{ kind: string }> & { shape: Readonly<Record<string, z.ZodType>> };

/** The part of every kind of executor that a workflow needs. */
export interface CallShape {
  kind: string;
  timeout: number;
  /** It spends the task's budget while it runs, so it gets a grant and the task's state. */
  spends?: true;
  /** A model does the work, so a higher tier is a stronger model. */
  usesModel?: true;
}

/** Everything particular to one kind of executor except its start, for which see `kinds.ts`. */
export interface ExecutorKind<Schema extends KindSchema, Whole, Call extends CallShape, InWorkspace extends boolean> {
  /** The name in messages: "a `command` executor". */
  about: string;
  schema: Schema;
  complete(given: z.output<Schema>, defaults: ExecutorDefaults): Whole;
  needs(executor: Whole): Needs;
  /** Names of all variables that it passes on, optional ones included. */
  variables(executor: Whole): string[];
  /** Builds the part that a workflow needs to call it. */
  buildCall(executor: Whole): Call;
  /** It works on files of the task's workspace, on the host of the workspace, so it can be given a copy of them. */
  inWorkspace: InWorkspace;
}

/** Infers the types of the parts and checks that they fit together. */
export function executorKind<Schema extends KindSchema, Whole, Call extends CallShape, InWorkspace extends boolean>(
  kind: ExecutorKind<Schema, Whole, Call, InWorkspace>,
): ExecutorKind<Schema, Whole, Call, InWorkspace> {
  return kind;
}
