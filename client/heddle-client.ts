import { Client, Connection, type ConnectionOptions, type WorkflowExecutionInfo } from '@temporalio/client';
import proto from '@temporalio/proto';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Decision } from '../domain/model/decision.ts';
import { HeddleError } from '../domain/heddle-error.ts';
import type { PlanInput } from '../domain/schema/plan-schema.ts';
import { allTasksQuery, defaultTaskQueue, taskIdOf, workflowIdOf, workflowTypes } from '../domain/names.ts';
import { attributes, searchAttributes } from '../domain/search-attributes.ts';
import { clip, oneLine } from '../domain/text/text.ts';
import { createCallRetries } from './call-retries.ts';
import { explainError, unreachable } from './explain-error.ts';
import { clientLimits } from './limits.ts';
import { checkPlanSize } from './plan-size.ts';
import { checkTaskId, newTaskId } from './task-id.ts';
import { describePlan } from './describe-plan.ts';
import { ProjectHandle } from './project-handle.ts';
import { TaskHandle } from './task-handle.ts';

/** How long a first connection may take. */
const connectDeadline = 5_000;

export interface HeddleClientOptions {
  taskQueue?: string;
  /** How long the server waits for a workflow task of a worker that died; short where server and worker are one machine. */
  workflowTaskTimeout?: number;
}

export interface TaskListing {
  id: string;
  state: string;
  goal: string;
  project: string | null;
  startedAt: string;
  waitingOn: string[];
}

export type InboxItem = Decision & { taskId: string; goal: string };

/** Starts and finds tasks. A thin, typed layer over the Temporal client: everything it does, a bare client can do too. */
export class HeddleClient {
  readonly temporal: Client;
  readonly taskQueue: string;
  private readonly workflowTaskTimeout: number | undefined;
  private readonly closing = new AbortController();
  private settle: () => Promise<void> = () => Promise.resolve();

  constructor(client: Client, options: HeddleClientOptions = {}) {
    this.temporal = client;
    this.taskQueue = options.taskQueue ?? defaultTaskQueue;
    this.workflowTaskTimeout = options.workflowTaskTimeout;
  }

  /** Connects, or says that the server cannot be reached. */
  static async connect(
    connection: ConnectionOptions & { namespace?: string },
    options: HeddleClientOptions = {},
  ): Promise<HeddleClient> {
    const { namespace, ...rest } = connection;
    try {
      const { interceptors, settle } = createCallRetries();
      const connected = await Connection.connect({ connectTimeout: connectDeadline, interceptors, ...rest });
      const client = new Client({ connection: connected, ...(namespace === undefined ? {} : { namespace }) });
      const connecting = new HeddleClient(client, options);
      connecting.settle = settle;
      return connecting;
    } catch (error) {
      throw unreachable(
        `${rest.address ?? 'localhost:7233'} (${error instanceof Error ? error.message : String(error)})`,
      );
    }
  }

  /** Starts a task from a plan. The id is free for one task for ever. */
  async start(plan: PlanInput, options: { id?: string } = {}): Promise<TaskHandle> {
    const id = checkTaskId(options.id ?? newTaskId());
    checkPlanSize(plan);
    try {
      await this.temporal.workflow.start(workflowTypes.task, {
        workflowId: workflowIdOf(id),
        taskQueue: this.taskQueue,
        args: [plan],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: clip(oneLine(plan.goal), 120),
        staticDetails: describePlan(plan),
        memo: { goal: clip(plan.goal, clientLimits.memoGoal) },
        ...(this.workflowTaskTimeout === undefined ? {} : { workflowTaskTimeout: this.workflowTaskTimeout }),
      });
    } catch (error) {
      throw explainError(error, { taskId: id });
    }
    return this.task(id);
  }

  task(id: string): TaskHandle {
    return new TaskHandle(this.temporal, id, this.taskQueue, this.closing.signal);
  }

  /** The memory of a project. */
  project(name: string): ProjectHandle {
    return new ProjectHandle(this.temporal, name, this.taskQueue);
  }

  /** A task by its id, or the one that was started last for `latest`. */
  async find(id: string): Promise<TaskHandle> {
    if (id !== 'latest') return this.task(id);
    const [newest] = (await this.list()).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    if (newest === undefined) {
      throw new HeddleError({
        code: 'TASK_NOT_FOUND',
        message: 'There is no task yet',
        hint: 'Start one with `heddle run PLAN`.',
      });
    }
    return this.task(newest.id);
  }

  /** Whether a worker polls the queue: without one nothing would happen. */
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

  async list(query = ''): Promise<TaskListing[]> {
    const found: TaskListing[] = [];
    const filter = [allTasksQuery, ...(query === '' ? [] : [`(${query})`])].join(' AND ');
    try {
      for await (const info of this.temporal.workflow.list({ query: filter })) found.push(listing(info));
    } catch (error) {
      throw explainError(error);
    }
    return found;
  }

  /** What waits for a person, in all open tasks: oldest question first. */
  async inbox(): Promise<InboxItem[]> {
    const open = await this.list("ExecutionStatus = 'Running'");
    const items = await Promise.all(
      open.map(async ({ id, goal }) =>
        (await this.decisionsOf(id)).map((decision) => ({ taskId: id, goal, ...decision })),
      ),
    );
    return items.flat().sort((a, b) => a.openedAt.localeCompare(b.openedAt));
  }

  /** A task that is gone since it was listed asks nothing. */
  private async decisionsOf(id: string): Promise<Decision[]> {
    try {
      return (await this.task(id).status({ workers: false })).decisions;
    } catch (error) {
      if (error instanceof HeddleError && error.code === 'TASK_NOT_FOUND') return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.settle();
    await this.temporal.connection.close();
  }
}

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);
const projectKey = defineSearchAttributeKey(attributes.project, searchAttributes.HeddleProject);
const waitingKey = defineSearchAttributeKey(attributes.waitingOn, searchAttributes.HeddleWaitingOn);

/** Temporal's own states, for tasks whose search attributes the server does not have. */
const states: Record<string, string> = {
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'cancelled',
  TIMED_OUT: 'failed',
};

function listing(info: WorkflowExecutionInfo): TaskListing {
  const found = info.typedSearchAttributes;
  const state = found.get(stateKey);
  const closed = info.status.name !== 'RUNNING';
  const goal = info.memo?.['goal'];
  return {
    id: taskIdOf(info.workflowId),
    state: closed && state !== 'cancelled' ? (states[info.status.name] ?? 'failed') : (state ?? 'running'),
    goal: typeof goal === 'string' ? goal : '',
    project: found.get(projectKey) ?? null,
    startedAt: info.startTime.toISOString(),
    waitingOn: closed ? [] : (found.get(waitingKey) ?? []),
  };
}
