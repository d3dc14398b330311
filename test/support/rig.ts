import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection } from '@temporalio/worker';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { HeddleClient, HeddleError, type PlanInput, type TaskHandle } from '../../client/index.ts';
import { clientLimits } from '../../client/limits.ts';
import { taskIdOf } from '../../domain/names.ts';
import { FileStore } from '../../activities/store/file-store.ts';
import type { Ref } from '../../domain/model/ref.ts';
import { createWorkers, type Workers } from '../../workers/worker/create-workers.ts';
import { startDevServer, type DevServer } from '../../workers/server/dev-server.ts';
import { registerSearchAttributes } from '../../workers/server/register-search-attributes.ts';
import { vouched } from './vouched.ts';
import './quiet-runtime.ts';
import { replayHistory } from './replay-history.ts';

export { decisionOpened, endOf, eventOf } from './events.ts';

let counter = 0;

/** A worker of this tree on a queue of its own, a client, and workspaces; every history that a test makes is replayed. */
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
  start(plan: PlanInput, options?: { id?: string }): Promise<TaskHandle>;
  /** A task that somebody else started: ended and replayed after the test like those of `start`. */
  adopt(workflowId: string): TaskHandle;
  /** Stops the worker and starts another one, as a deploy does. */
  restartWorker(): Promise<void>;
  stopWorker(): Promise<void>;
}

export interface RigOptions {
  /** A server of the file's own, instead of the one that all tests share. */
  server?: {
    dynamicConfig?: Record<string, string>;
    /** Whether it knows our search attributes; true by default. */
    searchAttributes?: boolean;
  };
  env?: Record<string, string>;
}

/** Call at the top of a test file: everything is there in its tests, and gone after them. */
export function useRig(options: RigOptions = {}): Rig {
  let folder = '';
  const taskQueue = `test-${process.pid}-${(counter += 1)}`;
  const started: string[] = [];
  let native: NativeConnection;
  let workers: Workers | undefined;
  let running: Promise<void> | undefined;
  let server: DevServer | undefined;
  const rig = { taskQueue, host: 'rig' } as Rig;

  const startWorker = async (): Promise<void> => {
    workers = await createWorkers({
      connection: native,
      namespace: 'default',
      taskQueue,
      host: rig.host,
      storeFolder: rig.storeFolder,
      env: { ...process.env, HEDDLE_CONFIG: undefined, XDG_CONFIG_HOME: join(folder, 'config'), ...options.env },
      workflowBundle: { codePath: inject('bundlePath') },
    });
    running = workers.run();
  };
  rig.stopWorker = async () => {
    workers?.shutdown();
    await running;
    workers = undefined;
  };
  rig.restartWorker = async () => {
    await rig.stopWorker();
    await startWorker();
  };
  rig.workspace = () => mkdtempSync(join(folder, 'workspace-'));
  rig.start = async (plan, startOptions) => {
    const handle = await rig.client.start(vouched({ workspace: rig.workspace(), ...plan }), startOptions);
    started.push(handle.workflowId);
    return handle;
  };
  rig.adopt = (workflowId) => {
    started.push(workflowId);
    return rig.client.task(taskIdOf(workflowId));
  };

  beforeAll(async () => {
    // Not before: a file whose tests are all skipped has no end at which the folder would go.
    folder = mkdtempSync(join(tmpdir(), 'heddle-rig-'));
    rig.storeFolder = join(folder, 'store');
    if (options.server !== undefined) server = await startServer(folder, options.server);
    const address = server?.address ?? inject('temporalAddress');
    rig.address = address;
    native = await NativeConnection.connect({ address });
    // A page of a history with long prompts is larger than gRPC takes by default.
    const channelArgs = { 'grpc.max_receive_message_length': clientLimits.messageBytes };
    rig.temporal = new Client({ connection: await Connection.connect({ address, channelArgs }) });
    const readStored = async (ref: Ref): Promise<unknown> =>
      JSON.parse((await new FileStore(rig.storeFolder).get(ref)).toString('utf8'));
    rig.client = new HeddleClient(rig.temporal, { taskQueue, workflowTaskTimeout: 3_000, readStored });
    await startWorker();
  });
  afterEach(async () => {
    for (const workflowId of started.splice(0)) await replay(rig.temporal, workflowId);
  });
  afterAll(async () => {
    await replayProjects(rig.temporal, taskQueue);
    await rig.stopWorker();
    await rig.temporal.connection.close();
    await native.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return rig;
}

async function startServer(folder: string, options: NonNullable<RigOptions['server']>): Promise<DevServer> {
  const server = await startDevServer({
    temporalPath: inject('temporalPath'),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    headless: true,
    ...(options.dynamicConfig === undefined ? {} : { dynamicConfig: options.dynamicConfig }),
  });
  if (options.searchAttributes === false) return server;
  const connection = await Connection.connect({ address: server.address });
  await registerSearchAttributes(connection, 'default');
  await connection.close();
  return server;
}

/** Ends what a test left open, then replays every run of the chain against the code of this tree; how many runs there are. */
export async function replay(client: Client, workflowId: string): Promise<number> {
  const newest = await client.workflow.getHandle(workflowId).describe();
  if (newest.status.name === 'RUNNING') await client.workflow.getHandle(workflowId).terminate('the test has ended');
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

/** The memories of projects that tasks of this queue started. They stay open: a test does not own them. */
async function replayProjects(client: Client, taskQueue: string): Promise<void> {
  const query = `TaskQueue = '${taskQueue}' AND WorkflowType = 'project'`;
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

/** What the Web UI shows under User Metadata while a worker runs. */
export async function currentDetailsOf(client: Client, workflowId: string): Promise<string> {
  const metadata = await client.workflow
    .getHandle(workflowId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
