import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { buildReport, type Report } from '../../domain/report/report.ts';
import type { FinishedSubtask } from '../../domain/types/reuse.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { buildWorkflowId } from '../../domain/names/names.ts';
import * as messages from '../../workflows/task/messages.ts';
import { abortable } from '../temporal/abortable.ts';
import { askWorker } from '../temporal/ask-worker.ts';
import { explainError, isNoWorker } from '../temporal/explain-error.ts';
import { readHeld, type LogPart, type ReadStored, type Stretch } from '../follow/read-pages.ts';
import { cancelTask } from './cancel-task.ts';
import { explainMessageError, sendMessage, type MessageOptions, type MessageTarget } from './send-message.ts';
import { readServerEnd, type ServerEnd, statusOfServer, withServerEnd } from './server-end.ts';
import { TaskLog } from '../follow/task-log.ts';
import { waitForResult } from './wait-for-result.ts';
import { followFeed, type FollowOptions } from '../live/follow-feed.ts';
import { HistoryPoll } from '../live/history-poll.ts';
import { listActivity, type LiveActivity } from '../live/live-activity.ts';
import { TaskFeed } from '../live/task-feed.ts';
import type { TaskFeeds } from '../live/task-feeds.ts';
import type { FeedSource } from '../live/task-news.ts';
import { addWorkerWaits } from '../temporal/worker-waits.ts';

/**
 * The connections of a {@link TaskHandle} to its task.
 *
 * @example
 * ```ts
 * const access: TaskAccess = { taskQueue: 'heddle' };
 * ```
 */
export interface TaskAccess {
  /** The queue that Heddle's workers poll. */
  taskQueue: string;
  /** Calls that are still open when this signal is aborted are given up. */
  closing?: AbortSignal;
  /** The store of this machine, where older runs of a task may have put events and attempts. */
  readStored?: ReadStored;
  /** Live feeds that several handles of a task share. Without it, each handle has a feed of its own. */
  feeds?: TaskFeeds;
}

/**
 * One task: look at it, follow it, answer and direct it. {@link HeddleClient.task} makes one.
 *
 * @example
 * ```ts
 * const task = heddle.task('deploy-1');
 * const { decisions } = await task.status();
 * if (decisions[0] !== undefined) await task.decide({ decisionId: decisions[0].id, option: 'retry' });
 * ```
 */
export class TaskHandle {
  readonly id: string;
  readonly workflowId: string;
  private readonly client: Client;
  private readonly handle: WorkflowHandle;
  private readonly access: TaskAccess;
  private readonly log: TaskLog;
  private ownFeed: TaskFeed | undefined;

  constructor(client: Client, id: string, access: TaskAccess) {
    this.client = client;
    this.access = access;
    this.id = id;
    this.workflowId = buildWorkflowId(id);
    // Without a run id: it follows the task through continue-as-new.
    this.handle = client.workflow.getHandle(this.workflowId);
    this.log = new TaskLog(id, {
      archive: () => this.query(() => this.handle.query(messages.archive)),
      events: (since) => this.query(() => this.handle.query(messages.events, { since })),
      attempts: (after) => this.query(() => this.handle.query(messages.attempts, { after })),
      read: access.readStored ?? (() => Promise.resolve(undefined)),
    });
  }

  /**
   * Reads the status of the task. A task that the server ended has failed, whatever its last own status was. A running subtask
   * may be shown as waiting for a worker on its host. With `server: false` only the task itself is asked.
   *
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  async status({ server = true }: { server?: boolean } = {}): Promise<StatusView> {
    if (!server) return this.query(() => this.handle.query(messages.status));
    const description = await this.describe();
    const end = await this.readEnd(description);
    try {
      const status = await this.query(() => this.handle.query(messages.status));
      return end === undefined
        ? addWorkerWaits(status, description, this.access.taskQueue)
        : withServerEnd(status, end);
    } catch (error) {
      if (end === undefined || end.own || !isNoWorker(error)) throw error;
      return statusOfServer(this.id, description, end);
    }
  }

  /**
   * Reads how the server says the task ended, which needs no worker; undefined while the task is open.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`.
   */
  async end(): Promise<ServerEnd | undefined> {
    return this.readEnd(await this.describe());
  }

  /**
   * Reads the complete plan that the task follows; null before there is one.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  plan(): Promise<messages.PlanView | null> {
    return this.query(() => this.handle.query(messages.plan));
  }

  /**
   * Lists every attempt that can be read from here. {@link TaskHandle.allAttempts} says which are missing.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  async attempts(): Promise<AttemptView[]> {
    return (await this.allAttempts()).items;
  }

  /**
   * Lists the attempts behind a position, and names by position those that were archived to a store that is not here.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  allAttempts(after = 0, part: LogPart = {}): Promise<Stretch<AttemptView>> {
    return this.log.attempts(after, part);
  }

  /**
   * Lists the events after a number that can be read from here. {@link TaskHandle.allEvents} says which are missing.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  async events(since = 0): Promise<messages.EventOfTask[]> {
    return (await this.allEvents(since)).items;
  }

  /**
   * Lists the events after a number, and names by number those that were archived to a store that is not here.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  allEvents(since = 0, part: LogPart = {}): Promise<Stretch<messages.EventOfTask>> {
    return this.log.events(since, part);
  }

  /**
   * Lists the completed subtasks with references to their results.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  results(): Promise<FinishedSubtask[]> {
    return readHeld({
      page: (after) => this.query(() => this.handle.query(messages.results, { after })),
      lastOf: (page, after) => after + page.length,
    });
  }

  /**
   * Reads an object that the task put into the store of this machine, such as a page of evidence. Resolves to undefined where the
   * store does not have it.
   */
  async stored(ref: { sha256: string; bytes: number }): Promise<unknown> {
    return this.access.readStored?.(ref);
  }

  /**
   * Builds the report, as `heddle report --json` prints it.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or `NO_WORKER` where no worker responds in time.
   */
  async report(): Promise<Report> {
    // One after the other: see `askWorker`.
    return buildReport(await this.status(), await this.attempts(), await this.events());
  }

  /**
   * Yields the events as they happen, to the end of the task. Everybody who follows a task by the same client shares one feed.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or another code where asking again does not help.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<messages.EventOfTask, void, undefined> {
    return followFeed(this.feed(), options);
  }

  /** Returns the live feed of the task, which has its status and what is printed beside its events. */
  feed(): TaskFeed {
    const { feeds } = this.access;
    if (feeds !== undefined) return feeds.open(this.id, () => this.feedSource());
    return (this.ownFeed ??= new TaskFeed(this.feedSource()));
  }

  /**
   * Answers an open decision.
   * @throws {@link HeddleError} `DECISION_ALREADY_ANSWERED`, `DECISION_NOT_FOUND`, `TASK_ENDED`, or `NO_WORKER`.
   */
  decide(answer: messages.AnswerMessage, options: MessageOptions = {}): Promise<messages.DecideResult | undefined> {
    return this.send(messages.updates.decide, answer, options);
  }

  /**
   * Gives an instruction to running agents and to attempts that start later.
   * @throws {@link HeddleError} `TASK_ENDED`, `TASK_NOT_FOUND`, or `NO_WORKER`.
   */
  steer(steer: messages.Steer, options: MessageOptions = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.updates.steer, steer, options);
  }

  /**
   * Starts nothing new until {@link TaskHandle.resume}.
   * @throws {@link HeddleError} `TASK_ENDED`, `TASK_NOT_FOUND`, or `NO_WORKER`.
   */
  pause(pause: messages.Pause = {}, options: MessageOptions = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.updates.pause, pause, options);
  }

  /**
   * Resumes the task after a pause.
   * @throws {@link HeddleError} `TASK_ENDED`, `TASK_NOT_FOUND`, or `NO_WORKER`.
   */
  resume({ by, ...options }: MessageOptions & messages.Resume = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.updates.resume, by === undefined ? {} : { by }, options);
  }

  /**
   * Cancels the task by Temporal's own cancellation: running programs stop, finished work is kept. The task tells who did it and why.
   * @throws {@link HeddleError} `TASK_ENDED` or `TASK_NOT_FOUND`.
   */
  async cancel(cancel: messages.Cancel = {}): Promise<void> {
    try {
      await cancelTask(this.client, { handle: this.handle, taskId: this.id }, cancel);
    } catch (error) {
      throw await explainMessageError(this.target, error);
    }
  }

  /**
   * Waits for the end of the task.
   * @throws {@link HeddleError} with the reason and its code where the task failed, was cancelled, or was ended by the server.
   */
  result(): Promise<messages.TaskResult> {
    return waitForResult(this.handle, this.about, () => this.end());
  }

  /**
   * Lists the last line of each running attempt, from its heartbeats; for one that no worker runs, the worker it waits for.
   * @throws {@link HeddleError} `TASK_NOT_FOUND`.
   */
  async activity(): Promise<LiveActivity[]> {
    const { taskQueue } = this.access;
    return this.explained(async () =>
      listActivity(await this.describe(), { taskQueue, decoding: this.client.options }),
    );
  }

  private feedSource(): FeedSource {
    const ask = <T>(signal: AbortSignal, question: () => Promise<T>): Promise<T> =>
      abortable(this.client, signal, () => askWorker(this.client, question, this.historyLength));
    return {
      poll: new HistoryPoll(this.client, this.workflowId),
      page: (since, signal) => ask(signal, () => this.handle.query(messages.events, { since })),
      archived: async (between, signal) =>
        this.log.archivedEvents(await ask(signal, () => this.handle.query(messages.archive)), between),
      status: () => this.status(),
      activity: () => this.activity(),
      explain: (error) => explainError(error, this.about),
    };
  }

  private describe(): Promise<WorkflowExecutionDescription> {
    return this.query(
      () => this.handle.describe(),
      () => Promise.resolve(0),
    );
  }

  private readEnd(description: WorkflowExecutionDescription): Promise<ServerEnd | undefined> {
    return this.explained(() => readServerEnd(this.client, this.handle, description));
  }

  private get about(): { taskId: string; taskQueue: string } {
    return { taskId: this.id, taskQueue: this.access.taskQueue };
  }

  private query<T>(question: () => Promise<T>, historyLength = this.historyLength): Promise<T> {
    const { closing } = this.access;
    return this.explained(() => abortable(this.client, closing, () => askWorker(this.client, question, historyLength)));
  }

  private readonly historyLength = async (): Promise<number> => (await this.handle.describe()).historyLength;

  private send<Result, Payload>(
    update: UpdateDefinition<Result, [Payload]>,
    payload: Payload,
    options: MessageOptions,
  ): Promise<Result | undefined> {
    return sendMessage(this.target, update, { payload, options });
  }

  private get target(): MessageTarget {
    return { client: this.client, handle: this.handle, ...this.about };
  }

  private async explained<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw explainError(error, this.about);
    }
  }
}
