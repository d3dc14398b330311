import type { Client, WorkflowHandle } from '@temporalio/client';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  defaultPayloadConverter,
  type SignalDefinition,
  TerminatedFailure,
  type UpdateDefinition,
} from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../domain/model/decision.ts';
import type { AttemptView } from '../domain/model/attempt-view.ts';
import { buildReport, type Report } from '../domain/report/report.ts';
import type { FinishedSubtask } from '../domain/model/reuse.ts';
import type { StatusView } from '../domain/task/status.ts';
import type { Task } from '../domain/model/task.ts';
import { attemptCallOf, workflowIdOf } from '../domain/names.ts';
import * as messages from '../workflows/messages.ts';
import { askWorker } from './ask-worker.ts';
import { cancelled, ended, explainError, fromFailure } from './explain-error.ts';
import { abortable, followTask, type FollowOptions } from './follow-task.ts';
import { findWorkerWaits, type WorkerWait, withWorkerWaits } from './worker-waits.ts';

/** How long a message waits for a worker before it gives up and says so. */
const messageDeadline = 10_000;

export interface MessageOptions {
  /** The same id again gets the first answer. A new one each time by default. */
  updateId?: string;
  /** Sends the signal of the same name instead: no answer, but it waits for a worker in the history. */
  signal?: boolean;
}

/** What a running attempt says of itself. */
export interface LiveActivity {
  subtask: string;
  attempt: number;
  line: string;
}

/** One task, by its id. */
export class TaskHandle {
  readonly id: string;
  readonly workflowId: string;
  private readonly client: Client;
  private readonly handle: WorkflowHandle;
  private readonly taskQueue: string;
  private readonly closing: AbortSignal | undefined;

  /** Questions that are open when `closing` is aborted are given up. */
  constructor(client: Client, id: string, taskQueue: string, closing?: AbortSignal) {
    this.client = client;
    this.closing = closing;
    this.id = id;
    this.workflowId = workflowIdOf(id);
    // Without a run id: it follows the task through continue-as-new.
    this.handle = client.workflow.getHandle(this.workflowId);
    this.taskQueue = taskQueue;
  }

  /** How it stands. What runs may wait for a worker on its host: then that is said, unless `workers` is false. */
  async status({ workers = true }: { workers?: boolean } = {}): Promise<StatusView> {
    const status = await this.ask(() => this.handle.query(messages.status));
    const isIdle = status.state !== 'planning' && status.subtasks.every(({ state }) => state !== 'running');
    return isIdle || !workers ? status : withWorkerWaits(status, await this.workerWaits(status.host));
  }

  plan(): Promise<Task | null> {
    return this.ask(() => this.handle.query(messages.plan));
  }

  attempts(): Promise<AttemptView[]> {
    return this.ask(() => this.handle.query(messages.attempts));
  }

  /** What is completed, with the results that dependents are given. */
  results(): Promise<FinishedSubtask[]> {
    return this.ask(() => this.handle.query(messages.results));
  }

  /** Events after the given number. Those that older runs moved to the store are in `archivedEvents`. */
  events(since = 0): Promise<messages.EventOfTask[]> {
    return this.ask(() => this.handle.query(messages.events, { since }));
  }

  archivedEvents(): Promise<{ from: number; to: number; sha256: string; bytes: number }[]> {
    return this.ask(() => this.handle.query(messages.archivedEvents));
  }

  async report(): Promise<Report> {
    // One after the other: see `askWorker`.
    return buildReport(await this.status(), await this.attempts(), await this.events());
  }

  /** The events as they happen, to the end of the task. */
  async *follow(options: FollowOptions = {}): AsyncGenerator<messages.EventOfTask, void, undefined> {
    const read = (since: number) =>
      abortable(this.client, options.signal, () =>
        askWorker(this.client, () => this.handle.query(messages.events, { since })),
      );
    try {
      yield* followTask(this.client, this.workflowId, read, options);
    } catch (error) {
      throw explainError(error, this.about);
    }
  }

  decide(answer: Answer, options: MessageOptions = {}): Promise<messages.DecideResult | undefined> {
    return this.send(messages.decide, messages.decideSignal, answer, options);
  }

  steer(steer: messages.Steer, options: MessageOptions = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.steer, messages.steerSignal, steer, options);
  }

  pause(pause: messages.Pause = {}, options: MessageOptions = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.pause, messages.pauseSignal, pause, options);
  }

  resume(options: MessageOptions = {}): Promise<messages.Accepted | undefined> {
    return this.send(messages.resume, messages.resumeSignal, {}, options);
  }

  /** Temporal's own cancellation: running programs stop, what is done is kept. */
  async cancel(): Promise<void> {
    try {
      // The server takes the cancellation of a closed workflow without a word.
      const { status } = await this.handle.describe();
      if (status.name !== 'RUNNING') throw ended(this.id);
      await this.handle.cancel();
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? await this.whyNotFound(error) : explainError(error, this.about);
    }
  }

  /** Waits for the end. A task that failed or was cancelled throws the reason with its code. */
  async result(): Promise<messages.TaskResult> {
    try {
      return (await this.handle.result()) as messages.TaskResult;
    } catch (error) {
      if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure)
        throw fromFailure(error.cause, { task: this.id, unknown: 'TASK_FAILED' });
      if (error instanceof WorkflowFailedError && isStopped(error.cause)) throw cancelled(this.id);
      throw explainError(error, this.about);
    }
  }

  /** The last line that each running attempt printed, from its heartbeats; of one that nobody runs, which worker it waits for. */
  async activity(): Promise<LiveActivity[]> {
    const pendingActivities = await this.pendingActivities();
    const about = { taskQueue: this.taskQueue, host: null, now: Date.now() };
    const waits = findWorkerWaits(pendingActivities, about).flatMap(({ subtask, attempt, worker }) =>
      subtask === undefined ? [] : [{ subtask, attempt: attempt ?? 1, line: `waits for ${worker}` }],
    );
    const running = pendingActivities.flatMap((pending) => {
      const call = attemptCallOf(pending.activityId);
      const payload = pending.heartbeatDetails?.payloads?.[0];
      if (call?.verb !== 'execute' || payload === undefined) return [];
      const details = defaultPayloadConverter.fromPayload<{ line?: string } | undefined>(payload);
      return [{ subtask: call.subtask, attempt: call.attempt, line: details?.line ?? '' }];
    });
    return [...waits, ...running.filter(({ subtask }) => !waits.some((wait) => wait.subtask === subtask))];
  }

  private async pendingActivities() {
    return (await this.ask(() => this.handle.describe())).raw.pendingActivities ?? [];
  }

  private async workerWaits(host: string | null): Promise<WorkerWait[]> {
    // An extra: without it the status is still true.
    const pending = await this.pendingActivities().catch(() => []);
    return findWorkerWaits(pending, { taskQueue: this.taskQueue, host, now: Date.now() });
  }

  private get about(): { taskId: string; taskQueue: string } {
    return { taskId: this.id, taskQueue: this.taskQueue };
  }

  private async ask<T>(question: () => Promise<T>): Promise<T> {
    return this.explained(() => abortable(this.client, this.closing, () => askWorker(this.client, question)));
  }

  private async send<Result, Payload>(
    update: UpdateDefinition<Result, [Payload]>,
    signal: SignalDefinition<[Payload]>,
    payload: Payload,
    options: MessageOptions,
  ): Promise<Result | undefined> {
    const args: [Payload] = [payload];
    try {
      if (options.signal === true) {
        await this.handle.signal(signal, ...args);
        return undefined;
      }
      return await this.client.withDeadline(Date.now() + messageDeadline, () =>
        this.handle.executeUpdate(update, { args, updateId: options.updateId ?? randomUUID() }),
      );
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? await this.whyNotFound(error) : explainError(error, this.about);
    }
  }

  /** Temporal says the same of a task that never was and of one that has ended. */
  private async whyNotFound(error: WorkflowNotFoundError): Promise<unknown> {
    const isThere = await this.handle.describe().then(
      () => true,
      () => false,
    );
    return isThere ? ended(this.id) : explainError(error, this.about);
  }

  private async explained<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw explainError(error, this.about);
    }
  }
}

const isStopped = (cause: unknown): boolean => cause instanceof CancelledFailure || cause instanceof TerminatedFailure;
