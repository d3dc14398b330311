import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createHostActivities, createSharedActivities } from '../../activities/create-activities.ts';
import { readServerId } from '../../client/sdk/open-references.ts';
import type { ProviderCall } from '../../activities/llm/ports/model.ts';
import type { SharedParts } from '../../activities/create-activities.ts';
import { HomeSecrets } from '../../activities/redact/home-secrets.ts';
import { rootOfStore } from '../../activities/home/home-layout.ts';
import { readMemory } from '../../activities/memory/project-memory.ts';
import { loadSqlite } from '../../activities/store/open-database.ts';
import { buildHostQueue } from '../../domain/names/names.ts';
import { attemptLogAttributes } from '../telemetry/attempt-log-attributes.ts';
import { recordModelCall } from '../telemetry/model-calls.ts';
import { forgetAtEnd, forgetEnded, type VariablesServer } from '../home/ended-variables.ts';
import type { LeaseServer } from '../../activities/prepare/workspace-lease.ts';
import { newsSinks, onTaskEnd } from '../telemetry/news-sinks.ts';
import { heddleHome, type Environment } from '../home/home.ts';
import { ServedNote } from '../home/served-servers.ts';
import type { SearchAttributeName } from '../../domain/names/search-attributes.ts';
import { readSearchAttributes, type SearchAttributesReport } from '../server/register-search-attributes.ts';
import { readSettings } from '../settings/settings.ts';

export type { ModelReply, ModelRequest, ProviderCall } from '../../activities/llm/ports/model.ts';
export { ModelError } from '../../activities/llm/ports/model.ts';

/**
 * Options of {@link createHeddleActivities}.
 *
 * @example
 * ```ts
 * const options: HeddleActivitiesOptions = { connection, host: 'build-1' };
 * ```
 */
export interface HeddleActivitiesOptions {
  /** The connection of the worker. */
  connection: NativeConnection;
  /** The namespace of the worker. `default` by default. */
  namespace?: string;
  /** The queue of the worker that has Heddle's workflows. `HEDDLE_TASK_QUEUE`, else `heddle`, by default. */
  taskQueue?: string;
  /** The name of this host: workers that share a home share it. `HEDDLE_HOST`, else the machine's name, by default. */
  host?: string;
  /** The folder of stored outputs. In the home by default. */
  storeFolder?: string;
  /** The address of `connection`. Without it, or where it is not on this machine, commands with `sandbox.network` are asked about. */
  serverAddress?: string;
  /** The part of this process's environment that programs may get. All of it by default. */
  env?: Environment;
  /** Providers of models in code of your own, by their name in `heddle.toml`: one request, one reply. */
  providers?: Readonly<Record<string, ProviderCall>>;
  /** True where the worker on `taskQueue` has all activities and nobody else serves that queue; asked for every task. False by default. */
  isAlone?: () => Promise<boolean>;
}

/**
 * Heddle's activities, in the two groups that two workers serve.
 *
 * @example
 * ```ts
 * const { taskQueue, shared, hostQueue, host } = createHeddleActivities({ connection });
 * ```
 */
export interface HeddleActivities {
  /** The queue of the workflows. */
  taskQueue: string;
  /** For the worker on `taskQueue`, beside the workflows. */
  shared: ReturnType<typeof createSharedActivities>;
  hostQueue: string;
  /** For a worker on `hostQueue`: what needs this host's files. */
  host: ReturnType<typeof createHostActivities>;
}

/**
 * Creates Heddle's activities for a worker of your own that also has the workflows of `@heddle/heddle/workflows`.
 *
 * @example
 * ```ts
 * const heddle = createHeddleActivities({ connection });
 * await Worker.create({ connection, taskQueue: heddle.taskQueue, workflowsPath, activities: heddle.shared });
 * await Worker.create({ connection, taskQueue: heddle.hostQueue, activities: heddle.host });
 * ```
 */
export function createHeddleActivities(options: HeddleActivitiesOptions): HeddleActivities {
  loadSqlite();
  const { connection, namespace = 'default', env = process.env } = options;
  const settings = readSettings(env);
  const { taskQueue = settings.taskQueue, host = settings.host } = options;
  const hostQueue = buildHostQueue(taskQueue, host);
  const server = onceFound(async () => ({ id: await readServerId(connection, namespace), namespace }));
  const storeFolder = options.storeFolder ?? heddleHome(env).store;
  const root = rootOfStore(storeFolder);
  const parts: SharedParts = {
    host,
    // One queue for everything where one worker does everything: the server then starts activities without a hop.
    hostQueue: async () => ((await options.isAlone?.()) === true ? taskQueue : hostQueue),
    secrets: new HomeSecrets(env, { root, server }),
    storeFolder,
    readMemory,
    server,
    searchAttributes: onceRegistered(() => readSearchAttributes(connection, namespace)),
  };
  forgetVariablesOfEnded(root, { connection, namespace, server });
  const served = new ServedNote(root, server);
  const shared = createSharedActivities(parts);
  const { providers, serverAddress } = options;
  const more = { onModelCall: recordModelCall, serverAddress, ...(providers && { providers }) };
  const onHost = createHostActivities({ ...parts, ...more });
  return {
    taskQueue,
    shared: { ...shared, prepareTask: served.around(shared.prepareTask) },
    hostQueue,
    host: {
      ...onHost,
      prepareTask: served.around(onHost.prepareTask),
      executeSubtask: served.around(onHost.executeSubtask),
      verifySubtask: served.around(onHost.verifySubtask),
      storePage: served.around(onHost.storePage),
    },
  };
}

/** Removes the variables that were handed over for a task when it has ended, and now those that a killed worker has left. */
function forgetVariablesOfEnded(
  root: string,
  {
    connection,
    namespace,
    server,
  }: { connection: NativeConnection; namespace: string; server: () => Promise<LeaseServer> },
): void {
  const quietly = (action: (server: VariablesServer) => Promise<void>): void =>
    // Trouble leaves a file to the next start, or to the daily pruning.
    void server()
      .then(({ id }) => action({ connection, namespace, id }))
      .catch(() => undefined);
  quietly((of) => forgetEnded(root, of));
  onTaskEnd((ended) => {
    if (ended.namespace === namespace) quietly((of) => forgetAtEnd(root, of, ended));
  });
}

/** Asked once it is known; a server that did not answer is asked again. */
function onceFound<T>(find: () => Promise<T>): () => Promise<T> {
  let result: { value: T } | undefined;
  return async () => (result ??= { value: await find() }).value;
}

/** Asked until all are there: each question leaves two open files in a dev server. */
function onceRegistered(read: () => Promise<SearchAttributesReport>): () => Promise<SearchAttributeName[]> {
  let all: SearchAttributeName[] | undefined;
  return async () => {
    if (all !== undefined) return all;
    const { registered, missing, wrongType } = await read();
    if (missing.length + wrongType.length === 0) all = registered;
    return registered;
  };
}

/**
 * Options that both workers need: short sticky and heartbeat intervals, so that a killed worker costs seconds, and Heddle's log sinks.
 *
 * @example
 * ```ts
 * await Worker.create({ ...heddleWorkerOptions, connection, taskQueue: heddle.hostQueue, activities: heddle.host });
 * ```
 */
export const heddleWorkerOptions: Pick<
  WorkerOptions,
  'maxHeartbeatThrottleInterval' | 'stickyQueueScheduleToStartTimeout' | 'interceptors' | 'sinks'
> = {
  // Half a second's worth of a beat is what a crash may lose, and how late a cancellation comes.
  maxHeartbeatThrottleInterval: '1s',
  // The default of 10 s is how long every task would stand still after a crash.
  stickyQueueScheduleToStartTimeout: '1s',
  interceptors: { activity: [attemptLogAttributes] },
  // Without this sink the events of tasks are in no log and in no metric.
  sinks: newsSinks,
};
