import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import proto from '@temporalio/proto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import { formatGoal } from '../../domain/plan/goal-text.ts';
import { allTasksQuery, defaultTaskQueue, buildWorkflowId, workflowTypes } from '../../domain/names/names.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { clientCodec } from '../codec/payload-codec.ts';
import { readCodecKeys } from '../codec/read-keys.ts';
import { createCallRetries } from '../temporal/call-retries.ts';
import { explainError, findGrpcError, unreachable } from '../temporal/explain-error.ts';
import { collectInbox, type Inbox } from './inbox.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { ReadStored } from '../follow/read-pages.ts';
import type { TaskListing } from './task-listing.ts';
import { listExecutions, readExecution, tasksQuery } from './task-page.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { checkTaskId, newTaskId } from './task-id.ts';
import { describePlan } from './describe-plan.ts';
import { ProjectHandle } from './project-handle.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { TaskFeeds } from '../live/task-feeds.ts';
import { TaskHandle } from './task-handle.ts';

/** How long a first connection may take. */
const connectDeadline = 5_000;

/**
 * Options of a {@link HeddleClient}.
 *
 * @example
 * ```ts
 * const options: HeddleClientOptions = { taskQueue: 'heddle' };
 * ```
 */
export interface HeddleClientOptions {
  /** The queue that Heddle's workers poll. `heddle` by default. */
  taskQueue?: string;
  /** How long the server waits for a workflow task of a worker that died; short where server and worker are one machine. */
  workflowTaskTimeout?: number;
  /** Reads pages of this machine's store. Without it, events that a long task has archived are reported as missing. */
  readStored?: ReadStored;
  /** A file of keys, as `heddle codec new-key` makes it: what is sent is encrypted, and what is read is decrypted. */
  codecKeys?: string;
}

/**
 * Options of {@link HeddleClient.start}.
 *
 * @example
 * ```ts
 * const options: StartOptions = { id: 'deploy-1', by: 'ana' };
 * ```
 */
export interface StartOptions {
  /** Names the task for good; a new one by default. */
  id?: string;
  /** The person who starts it, as lists show. */
  by?: string;
  /** Kept with the task, for callers that have to know what it was started with: a hash, say. */
  key?: string;
}

/**
 * Starts and finds tasks. It is a thin, typed layer over the Temporal client: a bare client can do all of it too.
 *
 * @example
 * ```ts
 * const heddle = await HeddleClient.connect({ address: 'localhost:7233' });
 * const task = await heddle.start({ goal: 'Say hello', subtasks: [{ id: 'hello', description: 'Print hello', executor: { kind: 'command', run: ['echo', 'hello'] } }] });
 * for await (const event of task.follow()) console.log(event.text);
 * await heddle.close();
 * ```
 */
export class HeddleClient {
  readonly temporal: Client;
  readonly taskQueue: string;
  private readonly workflowTaskTimeout: number | undefined;
  private readonly readStored: ReadStored | undefined;
  private readonly closing = new AbortController();
  private readonly feeds = new TaskFeeds();
  private settle: () => Promise<void> = () => Promise.resolve();

  constructor(client: Client, options: HeddleClientOptions = {}) {
    this.temporal = client;
    this.taskQueue = options.taskQueue ?? defaultTaskQueue;
    this.workflowTaskTimeout = options.workflowTaskTimeout;
    this.readStored = options.readStored;
  }

  /**
   * Connects to a Temporal server.
   *
   * @throws {@link HeddleError} `TEMPORAL_UNREACHABLE` where nothing answers at the address, `CODEC_KEYS_INVALID` for a bad file of keys.
   */
  static async connect(
    connection: ConnectionOptions & { namespace?: string },
    options: HeddleClientOptions = {},
  ): Promise<HeddleClient> {
    const { namespace, ...rest } = connection;
    const keys = options.codecKeys === undefined ? undefined : readCodecKeys(options.codecKeys);
    try {
      const { interceptors, settle } = createCallRetries();
      const connected = await Connection.connect({
        connectTimeout: connectDeadline,
        interceptors,
        ...rest,
        channelArgs: { 'grpc.max_receive_message_length': clientLimits.messageBytes, ...rest.channelArgs },
      });
      const client = new Client({
        connection: connected,
        dataConverter: { payloadCodecs: [clientCodec(keys)] },
        ...(namespace === undefined ? {} : { namespace }),
      });
      const connecting = new HeddleClient(client, options);
      connecting.settle = settle;
      return connecting;
    } catch (error) {
      throw unreachable(
        `${rest.address ?? 'localhost:7233'} (${error instanceof Error ? error.message : String(error)})`,
      );
    }
  }

  /**
   * Starts a task from a plan and returns as soon as the server has taken it. An id names one task for good.
   *
   * @throws {@link HeddleError} `TASK_EXISTS` where the id is taken, a code that begins with `PLAN_` where the plan is too large.
   */
  async start(plan: PlanInput, options: StartOptions = {}): Promise<TaskHandle> {
    const { by, key } = options;
    const id = checkTaskId(options.id ?? newTaskId());
    checkPlanSize(plan);
    try {
      await this.temporal.workflow.start(workflowTypes.task, {
        workflowId: buildWorkflowId(id),
        taskQueue: this.taskQueue,
        args: [plan],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: clip(oneLine(formatGoal(plan)), 120),
        staticDetails: describePlan(plan),
        memo: {
          goal: clip(formatGoal(plan), limits.memoGoal),
          ...(plan.planOnly === true ? { planOnly: true } : {}),
          ...(by === undefined ? {} : { by }),
          ...(key === undefined ? {} : { key }),
        },
        workflowTaskTimeout: taskTimeoutFor(plan, this.workflowTaskTimeout),
      });
    } catch (error) {
      throw explainError(error, { taskId: id });
    }
    return this.task(id);
  }

  /** Returns the handle of a task by its id. Nothing is asked of the server yet. */
  task(id: string): TaskHandle {
    return new TaskHandle(this.temporal, id, {
      taskQueue: this.taskQueue,
      closing: this.closing.signal,
      feeds: this.feeds,
      ...(this.readStored === undefined ? {} : { readStored: this.readStored }),
    });
  }

  /**
   * Returns the live feed of a task: its events, its status and what running attempts print, read once for all readers of this client.
   * The server is asked nothing until it is read.
   *
   * @example
   * ```ts
   * for await (const news of heddle.feed('deploy-1').read({ status: true })) {
   *   if (news.kind === 'event') console.log(news.event.text);
   * }
   * ```
   */
  feed(id: string): TaskFeed {
    return this.task(id).feed();
  }

  /** Returns the handle of a project's memory. */
  project(name: string): ProjectHandle {
    return new ProjectHandle(this.temporal, name, this.taskQueue);
  }

  /**
   * Returns the handle of a task by its id; `latest` is the task that was started last, other than to plan alone.
   *
   * @throws {@link HeddleError} `TASK_NOT_FOUND` for `latest` where there is no task yet.
   */
  async find(id: string): Promise<TaskHandle> {
    if (id !== 'latest') return this.task(id);
    const newest = await this.newest().catch((error: unknown) => {
      throw explainError(error);
    });
    if (newest === undefined) {
      throw new HeddleError({
        code: 'TASK_NOT_FOUND',
        message: 'There is no task yet',
        hint: 'Start one with `heddle run PLAN`.',
      });
    }
    return this.task(newest.id);
  }

  /**
   * The server sorts open tasks before ended ones and those by their end, so the first need not be the newest: a task that began later is asked
   * for until there is none. Two calls, mostly.
   */
  private async newest(): Promise<TaskListing | undefined> {
    let newest: TaskListing | undefined;
    for (;;) {
      const later = newest === undefined ? '' : `StartTime > '${nextMillisecond(newest.startedAt)}'`;
      const [found] = await this.search(later, { most: 1, isWanted: ({ planOnly }) => planOnly !== true });
      if (found === undefined) return newest;
      newest = found;
    }
  }

  /**
   * Says whether a worker polls the queue: without one, a task would wait.
   *
   * @throws {@link HeddleError} `TEMPORAL_UNREACHABLE` or `TEMPORAL_REFUSED`.
   */
  async hasWorker(): Promise<boolean> {
    const { pollers } = await this.temporal.connection.workflowService
      .describeTaskQueue({
        namespace: this.temporal.options.namespace,
        taskQueue: { name: this.taskQueue },
        taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      })
      .catch((error: unknown) => {
        throw explainError(error);
      });
    const recent = Date.now() - 60_000;
    return pollers.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > recent);
  }

  /**
   * Lists tasks, newest first, by an optional [list filter](https://docs.temporal.io/list-filter) of Temporal.
   *
   * @throws {@link HeddleError} `TEMPORAL_UNREACHABLE` or `TEMPORAL_REFUSED`.
   */
  async list(query = ''): Promise<TaskListing[]> {
    try {
      return await this.search(query);
    } catch (error) {
      throw explainError(error);
    }
  }

  private async search(
    query: string,
    { most = Infinity, isWanted = () => true }: { most?: number; isWanted?: (listing: TaskListing) => boolean } = {},
  ): Promise<TaskListing[]> {
    const listings: TaskListing[] = [];
    const page = most === Infinity ? {} : { pageSize: most };
    for await (const raw of listExecutions(this.temporal, { query: tasksQuery(query), ...page })) {
      const listing = await readExecution(this.temporal, raw);
      if (isWanted(listing)) listings.push(listing);
      if (listings.length >= most) break;
    }
    return listings;
  }

  /**
   * Lists the open tasks, up to a number, and the newest of those that ended.
   *
   * @throws {@link HeddleError} `TEMPORAL_UNREACHABLE` or `TEMPORAL_REFUSED`.
   */
  async listNewest({ tasks, ended }: { tasks: number; ended: number }): Promise<TaskListing[]> {
    const listings: TaskListing[] = [];
    let old = 0;
    try {
      // The server lists open ones first, then the newest end.
      for await (const raw of listExecutions(this.temporal, { query: allTasksQuery, pageSize: 100 })) {
        const listing = await readExecution(this.temporal, raw);
        if (listing.planOnly === true) continue;
        if (listing.endedAt !== null) old += 1;
        if (old > ended) break;
        listings.push(listing);
        if (listings.length >= tasks) break;
      }
      return listings;
    } catch (error) {
      throw explainError(error);
    }
  }

  /**
   * Collects the open decisions of all open tasks, and names the tasks that did not answer.
   *
   * @throws {@link HeddleError} `TEMPORAL_UNREACHABLE` or `TEMPORAL_REFUSED`.
   */
  async inbox(): Promise<Inbox> {
    const ask = async (id: string) => (await this.task(id).status({ server: false })).decisions;
    return collectInbox(await this.waitingTasks(), ask);
  }

  /** The server knows which tasks wait, so the others are not asked. A task that writes no search attributes is. */
  private async waitingTasks(): Promise<TaskListing[]> {
    const open = "ExecutionStatus = 'Running'";
    try {
      return await this.search(`${open} AND (HeddleWaitingOn IS NOT NULL OR HeddleState IS NULL)`);
    } catch (error) {
      if (findGrpcError(error)?.code !== badArgument) throw explainError(error);
      return this.list(open);
    }
  }

  /** Closes the connection, ends all feeds, and gives up calls that are still open. */
  async close(): Promise<void> {
    this.closing.abort();
    this.feeds.close();
    await this.settle();
    await this.temporal.connection.close();
  }
}

/** A worker that takes the task over replays its whole history in one workflow task, whose length grows with the plan. */
function taskTimeoutFor({ subtasks }: PlanInput, least: number = clientLimits.workflowTask.least): number {
  const { perSubtask, most } = clientLimits.workflowTask;
  // A caller without types may give anything: the task itself says what is wrong with it.
  const count = Array.isArray(subtasks) ? subtasks.length : 0;
  return Math.max(least, Math.min(count * perSubtask, most));
}

/** The server's times are finer than ours: what began in the same millisecond is as new. */
const nextMillisecond = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

/** gRPC's number for a bad argument: a query with a search attribute that the server does not have is one. */
const badArgument = 3;
