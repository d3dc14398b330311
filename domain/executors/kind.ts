import type * as z from 'zod';

/** Something that must be there before a task starts, and which key of the executor asks for it. */
export interface Need {
  name: string;
  key: string;
}

/** What the preflight looks for where the executor runs. Data: looking is the business of `prepareTask`. */
export interface Needs {
  programs: Need[];
  variables: Need[];
  models: ModelNeed[];
  /** Programs that cost money and do not say how much. */
  unpriced?: Need[];
}

/** A model that serves a role, or one by its name. `key`: of the executor, of the subtask where it is judged, or of the plan. */
export interface ModelNeed {
  role: 'executor' | 'verifier' | 'planner';
  name?: string;
  key: string;
}

/** What holds where an executor is silent. */
export interface ExecutorDefaults {
  timeout: number;
}

/** A map with `kind`, as a plan writes it. Keys that two kinds share are one schema, since a config may change the kind of an executor. */
type KindSchema = z.ZodType<{ kind: string }> & { shape: Readonly<Record<string, z.ZodType>> };

/** What a workflow has to know of every executor, whatever its kind. */
export interface CallShape {
  kind: string;
  timeout: number;
  /** It spends the task's budget while it runs: it is granted a part of it, and told where the task stands. */
  spends?: true;
  /** A model does the work: a higher tier is a stronger model. */
  usesModel?: true;
}

/** Everything that is particular to one kind of executor, but for how it is started: see `kinds.ts`. */
export interface ExecutorKind<Schema extends KindSchema, Whole, Call extends CallShape, InWorkspace extends boolean> {
  /** What people call it: "a `command` executor". */
  about: string;
  schema: Schema;
  complete(given: z.output<Schema>, defaults: ExecutorDefaults): Whole;
  needs(executor: Whole): Needs;
  /** Names of all variables that it gives to what it runs, those that may be missing too. */
  variables(executor: Whole): string[];
  /** What a workflow has to know to call it. */
  buildCall(executor: Whole): Call;
  /** It works on files of the task's workspace, on the host that has them: then it can be given a copy of them. */
  inWorkspace: InWorkspace;
}

/** Types of the parts are inferred, their fit is checked. */
export function executorKind<Schema extends KindSchema, Whole, Call extends CallShape, InWorkspace extends boolean>(
  kind: ExecutorKind<Schema, Whole, Call, InWorkspace>,
): ExecutorKind<Schema, Whole, Call, InWorkspace> {
  return kind;
}
