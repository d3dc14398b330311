import { noConfig, type ResolvedConfig } from '../../domain/config/layers.ts';
import { listTaskVariables } from '../../domain/planner/task-variables.ts';
import { planUnderConfig } from '../../domain/config/plan-under-config.ts';
import type { ErrorCode } from '../../domain/errors/error-codes.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import type { Ref, Stamp } from '../../domain/types/basic/ref.ts';
import type { LeftBy, LeftState, Reuse } from '../../domain/types/reuse.ts';
import type { PlanParts } from '../../domain/plan/complete-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import { rewritten } from '../../domain/planner/planner-input.ts';
import { readWrittenPlan, type WrittenPlan } from '../../domain/planner/written-plan.ts';
import { compileTask, type CompiledTask } from '../../domain/process/compile-task.ts';
import { configUnderProcess } from '../../domain/process/config-under-process.ts';
import { readDefinition } from '../../domain/process/read-process.ts';
import { planError } from '../../domain/input/problem.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { planReuse, type KnownWork, type ReuseAnswer } from '../../domain/reuse/reusable-work.ts';
import { formatList } from '../../domain/text/text.ts';
import { worksInWorkspace } from '../../domain/executors/kinds.ts';
import { readSentInput } from './sent-plan.ts';
import { readDefinitions, storedWork, unlessDamaged, type StoredWork } from './finished-work.ts';
import type { PlanView } from '../../workflows/task/messages.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { ReadStored } from '../follow/read-pages.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { nextRetry, buildRetryId } from '../sdk/task-id.ts';

/** The input of a retry under the config of now. */
interface RetryInput {
  /** Undefined when it cannot be seen from here. */
  resolved: ResolvedConfig | undefined;
  input: PlanInput;
}

export interface RetryOptions {
  /** This subtask and all behind it run again. */
  from?: string;
  /** Another plan than the one that the task was started with. */
  plan?: PlanInput;
  /** The config where the task will run, and the input that tells it. */
  config: (input: PlanInput, workspace: string) => Promise<RetryInput>;
  /** The files as they are now in a workspace of this machine. */
  stamp: (workspace: string, paths: string[]) => Promise<Stamp[]>;
  /** All that finished work changed in a workspace of this machine, compared with what is there now. */
  compareLeft: (question: { workspace: string; work: LeftBy[]; lineage: string[] }) => Promise<LeftState[]>;
  readStored: ReadStored;
}

/** The reuse and the runs of a retry, before it does anything. */
export interface RetryPlan extends ReuseAnswer {
  taskId: string;
  /** The base of its id: another retry may take the name first. */
  stem: string;
  number: number;
  /** Reused ones whose verify commands run again first: where one fails, the subtask runs, and all behind it. */
  rechecked: string[];
  /** Variables that it may need; absent where the plan as it is sent names them. */
  variables?: string[];
  input: PlanInput;
}

/** Looks at an ended task and says which of its work a new run takes over and what runs again. */
export async function planRetry(client: HeddleClient, task: TaskHandle, options: RetryOptions): Promise<RetryPlan> {
  const { stem, number } = nextRetry(task.id);
  const next = { taskId: buildRetryId(stem, number), stem, number };
  // One after the other: see `askWorker`.
  const status = await task.status();
  const before = await task.plan();
  const finished = await storedWork(task.id, await task.results(), options.readStored);
  const open = status.state !== 'completed' && status.state !== 'failed' && status.state !== 'cancelled';
  if (open)
    throw refuse(
      'TASK_RUNNING',
      `The task ${task.id} has not ended`,
      `Follow it with \`heddle watch ${task.id}\`, or cancel it first.`,
    );
  const { lineage, ...sent } = await readInput(client, task, options.plan === undefined);
  const frozen = options.plan === undefined ? await readFrozenProcess(task.id, before, options) : {};
  const given = options.plan ?? { ...(sent.input as PlanInput), ...frozen };
  const isWithoutSubtasks = given.subtasks === undefined;
  const workspace = options.plan?.workspace ?? before?.workspace ?? given.workspace;
  if (workspace === undefined || (before === null && !isWithoutSubtasks))
    throw refuse(
      'RETRY_DOES_NOT_FIT',
      `The task ${task.id} ended before it had a plan`,
      'Correct the plan and run it again.',
    );
  const { input, resolved = noConfig() } = await options.config({ ...given, workspace }, workspace);
  const made = frozen.process === undefined ? undefined : compileFrozen(frozen.process, input, resolved);
  const config = made === undefined ? resolved : configUnderProcess(resolved, made.process);
  const isGoal = made === undefined ? isWithoutSubtasks : isPlanned(made.process, before);
  const newest = await newestVersion(before, options);
  // Nobody could plan the goal, or what was planned is gone.
  if (before === null || (isGoal && newest === undefined))
    return { ...next, reused: [], runs: [], rechecked: [], input };
  const isReplaced = before.planVersion > 1 || before.written !== undefined;
  if (newest === undefined && options.plan === undefined && isReplaced) throw goneVersion(task.id);
  const after = completeNewest({ newest, made, input }, config);
  const ids = after.subtasks.map(({ id }) => id);
  if (options.from !== undefined && !ids.includes(options.from)) {
    throw refuse('SUBTASK_NOT_FOUND', `There is no subtask ${options.from}`, `Subtasks: ${formatList(ids)}.`);
  }
  const definitions = await readDefinitions(before, options.readStored);
  const reusable = input.workspace === before.workspace ? finished : [];
  const compared = await compareWork(before.workspace, { finished: reusable, definitions, lineage }, options);
  const answer = planReuse({
    before: {
      goal: before.goal,
      subtasks: definitions,
      finished: compared.work,
    },
    after,
    changedFiles: compared.changedFiles,
    ...(options.from === undefined ? {} : { from: options.from }),
  });
  if (answer.runs.length === 0) {
    throw refuse(
      'RETRY_NOT_NEEDED',
      `Everything of the task ${task.id} is completed and unchanged`,
      'Use --from to run a subtask again.',
    );
  }
  const plan = newest === undefined || before.written === undefined ? {} : { plan: before.written };
  const reused = new Set(answer.reused.map(({ id }) => id));
  const handed = (await newestEvidence(task)).filter(({ id }) => ids.includes(id) && !reused.has(id));
  const evidence = handed.length === 0 ? {} : { evidence: handed };
  const reuse = { task: task.id, earlier: lineage.slice(0, -1), subtasks: answer.reused, ...evidence, ...plan };
  const rechecked = after.subtasks.filter(({ id, verify }) => reused.has(id) && verify.length > 0).map(({ id }) => id);
  const variables = listTaskVariables(config, after.subtasks);
  return { ...next, ...answer, rechecked, variables, input: { ...input, reuse } };
}

/** Declared files by their stamps, everything else by the snapshots. */
async function compareWork(
  workspace: string,
  { finished, definitions, lineage }: { finished: StoredWork[]; definitions: readonly Subtask[]; lineage: string[] },
  { stamp, compareLeft }: Pick<RetryOptions, 'stamp' | 'compareLeft'>,
): Promise<{ work: KnownWork[]; changedFiles: Set<string> }> {
  const files = finished.flatMap((work) => work.files ?? []);
  const now = await stamp(
    workspace,
    files.map(({ path }) => path),
  );
  const changed = files.filter(({ sha256 }, index) => now[index]?.sha256 !== sha256).map(({ path }) => path);
  const byId = new Map(definitions.map((subtask) => [subtask.id, subtask]));
  const work = finished.map(({ id, task }) => {
    const executor = byId.get(id)?.executor;
    return { task, subtask: id, here: executor === undefined || worksInWorkspace(executor) };
  });
  const left = await compareLeft({ workspace, work, lineage });
  return {
    work: finished.map((each, index) => ({ ...each, left: left[index] ?? { unknown: true } })),
    changedFiles: new Set(changed),
  };
}

/** The evidence of each subtask after its last attempt: a subtask that runs again goes on with what it knew. */
async function newestEvidence(task: Pick<TaskHandle, 'allAttempts'>): Promise<NonNullable<Reuse['evidence']>> {
  const newest = new Map<string, Ref>();
  for (const { subtask, evidence } of (await task.allAttempts()).items)
    if (evidence !== undefined) newest.set(subtask, evidence);
  return [...newest].map(([id, page]) => ({ id, page }));
}

/** Reads the plan that took the place of the one that was sent; undefined where nothing did, or it cannot be read any more. */
async function newestVersion(
  before: Pick<PlanView, 'written'> | null,
  { plan, readStored }: RetryOptions,
): Promise<WrittenPlan | undefined> {
  const written = plan === undefined ? before?.written : undefined;
  return written === undefined ? undefined : readWrittenPlan(await readStored(written).catch(unlessDamaged));
}

interface FrozenChoice {
  process?: { name: string; definition: Record<string, unknown> };
}

/** The process that the task froze takes the place of the one that was named: its file may have changed, or be gone. */
async function readFrozenProcess(
  id: string,
  before: Pick<PlanView, 'process' | 'host'> | null,
  { readStored }: Pick<RetryOptions, 'readStored'>,
): Promise<FrozenChoice> {
  if (before?.process === undefined) return {};
  const { name, definition: stored } = before.process;
  const definition = await readStored(stored).catch(unlessDamaged);
  if (isPlainObject(definition)) return { process: { name, definition } };
  throw refuse(
    'RETRY_DOES_NOT_FIT',
    `The process that ${id} followed is not in the store of this machine`,
    `Retry it on ${before.host}, or give a plan with --plan FILE.`,
  );
}

const compileFrozen = (
  { name, definition }: NonNullable<FrozenChoice['process']>,
  input: PlanInput,
  config: ResolvedConfig,
): CompiledTask => compileTask(readDefinition(definition, name), input, config);

/** A planner fills the phases, unless there was none. */
const isPlanned = ({ mode }: CompiledTask['process'], before: Pick<PlanView, 'process'> | null): boolean =>
  mode !== 'strict' && before?.process?.degraded === undefined;

/** The version that was replaced must not come back in its place. */
const goneVersion = (id: string): HeddleError =>
  refuse(
    'RETRY_DOES_NOT_FIT',
    `The plan of ${id} was replaced, and its newest version is not in the store of this machine`,
    'Give it with --plan FILE.',
  );

/** Completes the newest version of the plan, else the phases of its process, else the plan as it was sent. */
function completeNewest(
  { newest, made, input }: { newest: WrittenPlan | undefined; made: CompiledTask | undefined; input: PlanInput },
  config: ResolvedConfig,
): PlanParts {
  if (newest === undefined) return complete(made?.phases.raw ?? input, config);
  return complete(rewritten({ raw: { ...(made?.goal.raw ?? input) }, config }, newest.part), config);
}

function complete(input: unknown, config: ResolvedConfig): PlanParts {
  const parsed = parsePlan(input, 'later', { ofProcess: config.process !== undefined });
  if (!parsed.ok) throw planError(parsed.problems);
  return planUnderConfig(parsed.plan, input, config);
}

function refuse(code: ErrorCode, message: string, hint: string): HeddleError {
  return new HeddleError({ code, message, hint });
}

/** The plan as it was sent, to be run, from the first event of the task's first run, and the tasks that it continued, itself last. */
async function readInput(
  client: HeddleClient,
  task: TaskHandle,
  needed: boolean,
): Promise<{ input: Record<string, unknown>; lineage: string[] }> {
  const stored = await readSentInput(client, task.workflowId);
  if (stored === undefined && needed)
    throw refuse('RETRY_DOES_NOT_FIT', `The plan of ${task.id} is gone`, 'Give it with --plan FILE.');
  const sent = stored ?? {};
  const { reuse, planOnly: _, ...input } = sent;
  return { input, lineage: [...listTasks(reuse), task.id].slice(-clientLimits.lineage) };
}

/** The tasks that a retry names as those before it. */
function listTasks(reuse: unknown): string[] {
  if (!isPlainObject(reuse)) return [];
  const { earlier, task } = reuse;
  const tasks: unknown[] = [...(Array.isArray(earlier) ? (earlier as unknown[]) : []), task];
  return tasks.filter((each) => typeof each === 'string');
}
