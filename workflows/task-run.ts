import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import {
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  patched,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ErrorCode } from '../domain/error-codes.ts';
import type { Course } from '../domain/course/course.ts';
import { retryEntries } from '../domain/course/retry-entries.ts';
import { limits } from '../domain/limits.ts';
import type { TaskEvent } from '../domain/model/events.ts';
import { attributes, searchAttributes } from '../domain/search-attributes.ts';
import { apply } from '../domain/task/apply.ts';
import type { Surplus } from '../domain/task/carry.ts';
import { currentDetails } from '../domain/task/details.ts';
import { nextDue, taskStatus } from '../domain/task/schedule.ts';
import { subtaskOf, type TaskState } from '../domain/task/state.ts';
import { sayList } from '../domain/text/text.ts';
import { News } from './news.ts';

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);
const projectKey = defineSearchAttributeKey(attributes.project, searchAttributes.HeddleProject);
const waitingKey = defineSearchAttributeKey(attributes.waitingOn, searchAttributes.HeddleWaitingOn);
const costKey = defineSearchAttributeKey(attributes.costUsd, searchAttributes.HeddleCostUsd);

/** One run of a task: its state, the scope of its work, and what others see of it. */
export class TaskRun implements Course {
  state: TaskState;
  /** False while the state of the run before is read from the store: until then nothing is known, and a message has to wait. */
  ready: boolean;
  /** Ids of updates that were taken: the server forgets them at continue-as-new, and one that is sent again must not act twice. */
  readonly updateIds: string[] = [];
  /** False for a run that began before the code had fewer awaits: how many lie between two commands is part of its history. */
  readonly fewTurns = patched('few-turns');
  /** Cancelled when the task is stopped: by Temporal's cancellation or by a person's answer. */
  readonly work = new CancellationScope();
  /** Attempts that run. */
  inFlight = 0;
  /** Questions for which a model looks for better words. */
  inWords = 0;
  broken: Error | undefined;
  /** Messages that this run has taken: the server bounds them. */
  messages = 0;
  /** What left the state and is not in the store yet. */
  readonly surplus: Surplus[] = [];
  /** Something of ours that does not work, in words for people; null when all is well. */
  trouble: string | null = null;
  carryNotBefore: number | null = null;
  /** Of each running subtask, where a new plan may stop one of them. */
  private readonly scopes = new Map<string, CancellationScope>();
  private planner: CancellationScope | null = null;
  private words: CancellationScope | null = null;
  private readonly news = new News();
  /** Where this run's own part of its history begins. */
  private base = 0;
  private published = '';
  private alarm: { at: number; scope: CancellationScope } | null = null;
  private readonly started = { at: -1, bytes: 0 };
  private nextTask: Promise<void> | null = null;
  private hasChanged = true;
  /** Of the main loop, while it waits. */
  private waiting: { resolve(): void; reject(reason: Error): void } | null = null;
  private readonly root = CancellationScope.current();
  /** Of the whole workflow, by Temporal's own means. */
  private cancelled: Error | null = null;
  private readonly settled = Promise.resolve();

  constructor(state: TaskState, { ready }: { ready: boolean }) {
    this.state = state;
    this.ready = ready;
    if (this.fewTurns) this.root.cancelRequested.catch((reason: unknown) => this.cancel(reason));
  }

  /** Goes on with the state of the run before. */
  takeUp(state: TaskState): void {
    this.state = state;
    this.base = workflowInfo().historyLength;
    this.ready = true;
    this.changed = true;
  }

  get changed(): boolean {
    return this.hasChanged;
  }

  set changed(has: boolean) {
    this.hasChanged = has;
    // Of a task that is cancelled nothing goes on, whatever came with it.
    if (!has || this.waiting === null || this.root.consideredCancelled) return;
    this.waiting.resolve();
    this.waiting = null;
  }

  private cancel(reason: unknown): void {
    this.cancelled = reason instanceof Error ? reason : new CancelledFailure('the task was cancelled');
    this.waiting?.reject(this.cancelled);
    this.waiting = null;
  }

  /**
   * Waits until something has changed that the main loop has to look at. Whatever changes it says so: the SDK looks at a condition by
   * entering the workflow once more.
   */
  woken(): Promise<void> {
    if (!this.fewTurns) return condition(() => this.hasChanged);
    return new Promise((resolve, reject) => {
      if (this.cancelled !== null) reject(this.cancelled);
      else if (this.hasChanged && !this.root.consideredCancelled) resolve();
      else this.waiting = { resolve, reject };
    });
  }

  get now(): number {
    return Date.now();
  }

  record(event: TaskEvent): void {
    const before = this.state.lastEventId;
    const retry = retryEntries(this.state, event, this.now);
    apply(this.state, event, this.now);
    this.changed ||= this.leadsOn(event);
    this.news.count(event);
    const told = this.state.events.at(-1);
    if (told !== undefined && told.id > before) this.news.add(this.state.id, told, retry);
    // While a task stops, the main loop does not come by to tell it.
    if (this.state.cancelling !== null) this.news.send();
  }

  /** Whether the main loop has to look: what an attempt used makes no difference where neither use nor time is limited. */
  private leadsOn({ type }: TaskEvent): boolean {
    return type !== 'attempt.used' || this.alarm !== null || Object.keys(this.state.budget).length > 0;
  }

  /**
   * Runs attempts beside the main loop. Each says by itself when it has ended; nothing waits for its promise, and one scope's serves all: the
   * SDK takes a stack trace of every promise, the dearest part of a subtask here.
   */
  start(ids: readonly string[], attempt: (id: string) => Promise<void>): void {
    this.inFlight += ids.length;
    const mayStop = this.state.setting?.planner !== undefined;
    void this.work.run(() => {
      for (const id of ids) void (mayStop ? this.startApart(id, attempt) : attempt(id));
      return this.settled;
    });
  }

  private async startApart(id: string, attempt: (id: string) => Promise<void>): Promise<void> {
    const scope = new CancellationScope();
    this.scopes.set(id, scope);
    await scope.run(() => attempt(id));
    if (this.scopes.get(id) === scope) this.scopes.delete(id);
  }

  /** A planner works beside the main loop too, and says by itself when it has ended. */
  startPlanner(work: () => Promise<void>): void {
    this.inFlight += 1;
    void this.work.run(() => {
      this.planner = new CancellationScope();
      return this.planner.run(work);
    });
  }

  /** Looks for better words for questions that are open; says by itself when it has ended. Only a new run waits for it. */
  startWords(work: () => Promise<void>): void {
    this.inWords += 1;
    void this.work.run(() => {
      this.words ??= new CancellationScope();
      return this.words.run(work);
    });
  }

  wordsEnded(): void {
    this.inWords -= 1;
    this.changed = true;
  }

  /** The task ends: nobody reads them any more. */
  stopWords(): void {
    this.words?.cancel();
  }

  /** What an older plan started, and a planner that nobody waits for any more. */
  stopStale(): void {
    const { running, replan } = this.state;
    for (const id of running) if (subtaskOf(this.state, id).stale !== undefined) this.scopes.get(id)?.cancel();
    if (replan?.grant !== undefined) return;
    this.planner?.cancel();
    this.planner = null;
  }

  /** An attempt has; whatever it changed wakes the loop. */
  ended(): void {
    this.inFlight -= 1;
    this.changed = true;
  }

  /** A bug in one attempt's code must end the workflow task, not vanish in a detached promise. */
  breakBy(error: unknown): void {
    if (isCancellation(error)) return;
    this.broken = error instanceof Error ? error : new Error('an attempt broke', { cause: error });
  }

  /**
   * Waits until the inputs of this size fit into the completion of a workflow task: what one starts is one message to the server, which
   * ends a task whose message is too large. Null: it fits now.
   */
  admit(bytes: number): Promise<void> | null {
    if (!this.takes(bytes)) return this.admitLater(bytes);
    return this.fewTurns ? null : this.turn();
  }

  /** What a run without few turns waits for where nothing has to be waited for. */
  turn(): Promise<void> {
    return this.settled;
  }

  private async admitLater(bytes: number): Promise<void> {
    do {
      this.nextTask ??= sleep(1, { summary: 'more starts' }).finally(() => {
        this.nextTask = null;
      });
      await this.nextTask;
    } while (!this.takes(bytes));
  }

  /** Counts what is to be started into the completion of this workflow task, if it fits. */
  private takes(bytes: number): boolean {
    const { historyLength } = workflowInfo();
    if (this.started.at !== historyLength) {
      this.started.at = historyLength;
      this.started.bytes = 0;
    }
    if (this.started.bytes > 0 && this.started.bytes + bytes > limits.startBytes) return false;
    this.started.bytes += bytes;
    return true;
  }

  /** Nothing runs and nothing may start: only then does a new run lose nothing. */
  isQuiet(): boolean {
    return this.inFlight === 0 && this.inWords === 0 && !this.changed;
  }

  /** The server suggests a new run, and this one has done its part. */
  hasGrown(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested && historyLength - this.base >= limits.leastEventsOfRun;
  }

  nearsHardLimits(): boolean {
    const { historyLength, historySize, taskTimeoutMs } = workflowInfo();
    // A worker that takes the task over replays its history in one workflow task: what does not fit into its time never gets through.
    const replayable = Math.max(taskTimeoutMs / limits.replayTime, limits.leastReplayable);
    return (
      historyLength > Math.min(replayable, limits.drainAtEvents) ||
      historySize > limits.drainAtBytes ||
      this.messages > limits.drainAtMessages
    );
  }

  stop(reason: string, code?: ErrorCode): void {
    if (this.state.cancelling === null)
      this.record({ type: 'task.cancelling', reason, ...(code === undefined ? {} : { code }) });
    this.work.cancel();
  }

  /** Shows the state to people, and tells the worker what happened: search attributes cost an event each, so only when they change. */
  publish(): void {
    this.news.send();
    const now = Date.now();
    setCurrentDetails(currentDetails(this.state, now, this.trouble));
    const registered = this.state.setting?.searchAttributes ?? [];
    const values = {
      HeddleState: taskStatus(this.state, now),
      HeddleWaitingOn: [...new Set(this.state.decisions.map((decision) => decision.kind))],
    };
    const shown = JSON.stringify(values);
    if (registered.length === 0 || shown === this.published) return;
    const first = this.published === '';
    this.published = shown;
    const pairs: SearchAttributeUpdatePair[] = [
      { key: stateKey, value: values.HeddleState },
      { key: waitingKey, value: values.HeddleWaitingOn },
      ...(first ? [{ key: projectKey, value: this.state.setting?.project ?? '' }] : []),
      ...(first || this.state.used.costUsd !== undefined
        ? [{ key: costKey, value: this.state.used.costUsd ?? 0 }]
        : []),
    ];
    upsertSearchAttributes(pairs.filter((pair) => registered.includes(pair.key.name)));
  }

  /** One durable timer for whatever is due first; set again only when that changes. */
  setAlarm(): void {
    const at = this.nextAlarm();
    if (at === (this.alarm?.at ?? null)) return;
    this.alarm?.scope.cancel();
    this.alarm = null;
    if (at === null) return;
    const scope = new CancellationScope();
    this.alarm = { at, scope };
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: this.sayAlarm() }))
      .then(
        () => {
          this.alarm = null;
          this.changed = true;
        },
        () => undefined, // cancelled: another alarm or the end took its place
      );
  }

  private nextAlarm(): number | null {
    const { state } = this;
    const now = Date.now();
    const times = [this.carryNotBefore];
    if (state.paused === null) {
      times.push(
        nextDue(state, now),
        ...state.decisions.map(({ deadline }) => (deadline === null ? null : Date.parse(deadline))),
      );
      if (state.budget.wallClock !== undefined && !state.decisions.some(({ kind }) => kind === 'budget')) {
        times.push(state.startedAt + state.pausedMs + state.budget.wallClock);
      }
    }
    // What is past was looked at just now: an alarm for it would ring at once, again and again.
    return times.reduce<number | null>(
      (least, time) => (time !== null && time > now && (least === null || time < least) ? time : least),
      null,
    );
  }

  private sayAlarm(): string {
    const { delayed, decisions } = this.state;
    if (delayed.length > 0) return `wait before ${sayList(delayed, 3)}`;
    return decisions.some(({ deadline }) => deadline !== null) ? 'deadline of a question' : 'budget of time';
  }
}
