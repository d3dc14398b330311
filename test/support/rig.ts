import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import {
  type HeddleClient,
  HeddleError,
  type PlanInput,
  type StartOptions,
  type TaskHandle,
} from '../../client/index.ts';
import { parseTaskId } from '../../domain/names/names.ts';
import { replayHistory } from './replay-history.ts';
import { hostOfPlace, Place, type PlaceOptions } from './place/place.ts';
import { vouched } from './vouched.ts';

export { decisionOpened, endOf, eventOf } from './events.ts';

let counter = 0;

/** A worker of this tree, a client, and workspaces; every history that a test makes is replayed. */
export interface Rig {
  client: HeddleClient;
  temporal: Client;
  /** Of the server. */
  address: string;
  taskQueue: string;
  host: string;
  storeFolder: string;
  /** A new folder for a task. */
  workspace(): string;
  /** Starts a task, whose heddle.toml counts as trusted; `workspace` is made when the plan has none. */
  start(plan: PlanInput, options?: StartOptions): Promise<TaskHandle>;
  /** A task that somebody else started: ended and replayed after the test like those of `start`. */
  adopt(workflowId: string): TaskHandle;
  /** Stops the worker and starts another one, as a deploy does. */
  restartWorker(): Promise<void>;
  stopWorker(): Promise<void>;
}

export interface RigOptions extends PlaceOptions {
  /** A worker and a home of the file's own: for tests that look at all that is there. */
  alone?: boolean;
}

/** Of all files of a process: to make a worker and to warm it up costs as much as three tasks. Its folder goes with those of the run. */
const sharedQueue = `test-${process.pid}-shared`;
let sharedPlace: Promise<Place> | undefined;

/**
 * Call at the top of a test file: everything is there in its tests, and gone after them. Files that ask for nothing of their own have one
 * worker and one home between them, one file after the other.
 */
export function useRig(options: RigOptions = {}): Rig {
  const isShared = Object.keys(options).length === 0;
  const taskQueue = isShared ? sharedQueue : `test-${process.pid}-${(counter += 1)}`;
  const started: string[] = [];
  let folder = '';
  let place: Place;
  let since = '';
  const rig = { taskQueue, host: hostOfPlace } as Rig;

  rig.stopWorker = () => place.stopWorker();
  rig.restartWorker = async () => {
    await place.stopWorker();
    await place.startWorker();
  };
  rig.workspace = () => mkdtempSync(join(folder, 'workspace-'));
  rig.start = async (plan, startOptions) => {
    const handle = await rig.client.start(vouched({ workspace: rig.workspace(), ...plan }), startOptions);
    started.push(handle.workflowId);
    return handle;
  };
  rig.adopt = (workflowId) => {
    started.push(workflowId);
    return rig.client.task(parseTaskId(workflowId));
  };

  beforeAll(async () => {
    // Not before: a file whose tests are all skipped has no end at which the folder would go.
    if (isShared) place = await (sharedPlace ??= Place.open(sharedQueue, {}, inject('runFolder')));
    else place = await Place.open(taskQueue, options);
    folder = mkdtempSync(join(place.folder, 'file-'));
    const { address, storeFolder, temporal, client } = place;
    Object.assign(rig, { address, storeFolder, temporal, client });
    since = new Date().toISOString();
    await place.startWorker();
  });
  afterEach(async () => {
    for (const workflowId of started.splice(0)) await replay(rig.temporal, workflowId);
  });
  afterAll(async () => {
    await replayProjects(rig.temporal, taskQueue, since);
    rmSync(folder, { recursive: true, force: true });
    if (!isShared) await place.close();
  });
  return rig;
}

/** Ends what a test left open, then replays every run of the chain against the code of this tree; how many runs there are. */
export async function replay(client: Client, workflowId: string): Promise<number> {
  const newest = await client.workflow.getHandle(workflowId).describe();
  if (newest.status.name === 'RUNNING') await terminate(client, workflowId);
  let runId: string | undefined = newest.runId;
  let runs = 0;
  for (; runId !== undefined && runs < 200; runs += 1) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    record(workflowId, runs, history);
    await replayHistory(workflowId, history);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return runs;
}

async function terminate(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).terminate('the test has ended');
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The memories of projects that tasks of this queue started since then. They stay open: a test does not own them. */
async function replayProjects(client: Client, taskQueue: string, since: string): Promise<void> {
  const query = `TaskQueue = '${taskQueue}' AND WorkflowType = 'project' AND StartTime >= '${since}'`;
  for await (const { workflowId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    record(workflowId, 0, history);
    await replayHistory(workflowId, history);
  }
}

/** HEDDLE_RECORD_HISTORIES=folder keeps them: how the corpus is made. */
function record(workflowId: string, run: number, history: Parameters<typeof historyToJSON>[0]): void {
  const folder = process.env['HEDDLE_RECORD_HISTORIES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${workflowId}-${run}.json`), historyToJSON(history));
}

/** Lines of an append-only file that programs write: the witness of what ran. */
export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** A plan of shell scripts. */
export function shellPlan(
  subtasks: Record<
    string,
    { sh: string; timeout?: string } & Omit<NonNullable<PlanInput['subtasks']>[number], 'id' | 'executor'>
  >,
  rest: Partial<PlanInput> = {},
): PlanInput & { subtasks: NonNullable<PlanInput['subtasks']> } {
  return {
    goal: 'a test',
    ...rest,
    subtasks: Object.entries(subtasks).map(([id, { sh, timeout, ...subtask }]) => ({
      description: `do ${id}`,
      ...subtask,
      id,
      executor: { kind: 'command' as const, run: ['sh', '-c', sh], ...(timeout === undefined ? {} : { timeout }) },
    })),
  };
}

/** The error that a refused message throws; undefined when it was taken. */
export async function refusalOf(sent: Promise<unknown>): Promise<HeddleError | undefined> {
  try {
    await sent;
    return undefined;
  } catch (error) {
    if (error instanceof HeddleError) return error;
    throw error;
  }
}

export const codeOf = async (sent: Promise<unknown>): Promise<string | undefined> => (await refusalOf(sent))?.code;

/** Text that the Web UI shows under User Metadata while a worker runs. */
export async function currentDetailsOf(client: Client, workflowId: string): Promise<string> {
  const metadata = await client.workflow
    .getHandle(workflowId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
