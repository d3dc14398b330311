import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { isCancellation, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import type { RunningTask } from '../../../domain/task/running-task.ts';
import { retryEntries } from '../../../domain/attempt/retry-entries.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { TaskEvent } from '../../../domain/types/events.ts';
import { attributes, searchAttributes } from '../../../domain/names/search-attributes.ts';
import { apply } from '../../../domain/task/apply.ts';
import type { Surplus } from '../../../domain/task/carried-state.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';
import { dueNext, formatDue } from '../../../domain/schedule/next-due.ts';
import { taskStatus } from '../../../domain/schedule/schedule.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { staleOf } from '../../../domain/task/subtask-phase.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { Admission } from '../../shared/admission.ts';
import { Alarm } from '../../shared/alarm.ts';
import { DirectScope } from '../../shared/direct-scope.ts';
import { News } from './worker-news.ts';
import { Waking } from '../../shared/wake.ts';

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);
const projectKey = defineSearchAttributeKey(attributes.project, searchAttributes.HeddleProject);
const waitingKey = defineSearchAttributeKey(attributes.waitingOn, searchAttributes.HeddleWaitingOn);
const costKey = defineSearchAttributeKey(attributes.costUsd, searchAttributes.HeddleCostUsd);

/** One run of a task: its state, the scope of its work, and what others see of it. */
export class TaskRun implements RunningTask {
  state: TaskState;
  /** False while the state of the run before is read from the store: until then nothing is known, and a message has to wait. */
  ready: boolean;
  /** Ids of updates that were taken: the server forgets them at continue-as-new, and one that is sent again must not act twice. */
  readonly updateIds: string[] = [];
  /** Cancelled when the task is stopped: by Temporal's cancellation or by a person's answer. */
  readonly work = new DirectScope();
  /** Attempts that run. */
  inFlight = 0;
  /** Questions for which a model looks for better words. */
  rewordingsRunning = 0;
  fatalError: Error | undefined;
  /** Messages that this run has taken: the server bounds them. */
  messages = 0;
  /** What left the state and is not in the store yet. */
  readonly surplus: Surplus[] = [];
  /** Something of ours that does not work, in words for people; null when all is well. */
  trouble: string | null = null;
  carryNotBefore: number | null = null;
  /** Of each running subtask, where a new plan may stop one of them. */
  private readonly scopes = new Map<string, DirectScope>();
  private planner: DirectScope | null = null;
  private rewordings: DirectScope | null = null;
  private readonly news = new News();
  /** Where this run's own part of its history begins. */
  private base = 0;
  private published = '';
  private readonly alarm = new Alarm(() => (this.changed = true));
  private readonly admission = new Admission();
  private readonly waking = new Waking();
  private readonly settled = Promise.resolve();

  constructor(state: TaskState, { ready }: { ready: boolean }) {
    this.state = state;
    this.ready = ready;
  }

  /** Goes on with the state of the run before. */
  restore(state: TaskState): void {
    this.state = state;
    this.base = workflowInfo().historyLength;
    this.ready = true;
    this.changed = true;
  }

  get changed(): boolean {
    return this.waking.changed;
  }

  set changed(has: boolean) {
    this.waking.changed = has;
  }

  /** Waits until something has changed that the main loop has to look at. */
  nextWake(): Promise<void> {
    return this.waking.nextWake();
  }

  get now(): number {
    return Date.now();
  }

  record(event: TaskEvent): void {
    const before = this.state.log.lastEventId;
    const retry = retryEntries(this.state, event, this.now);
    apply(this.state, event, this.now);
    this.changed ||= this.needsNewPass(event);
    this.news.count(event);
    const loggedEvent = this.state.log.events.at(-1);
    if (loggedEvent !== undefined && loggedEvent.id > before) this.news.add(this.state.id, loggedEvent, retry);
    // While a task stops, the main loop does not come by to tell it.
    if (this.state.control.cancelling !== null) this.news.send();
  }

  /** Whether the main loop has to look: what an attempt used makes no difference where neither use nor time is limited. */
  private needsNewPass({ type }: TaskEvent): boolean {
    return type !== 'attempt.used' || this.alarm.isSet || Object.keys(this.state.budget.limits).length > 0;
  }

  /**
   * Runs attempts beside the main loop. Each says by itself when it has ended; nothing waits for its promise, and one scope's serves all: the
   * SDK takes a stack trace of every promise, the dearest part of a subtask here.
   */
  start(ids: readonly string[], attempt: (id: string) => Promise<void>): void {
    this.inFlight += ids.length;
    const mayStop = this.state.plan.settings?.planner !== undefined;
    void this.work.run(() => {
      for (const id of ids) void (mayStop ? this.startApart(id, attempt) : attempt(id));
      return this.settled;
    });
  }

  private async startApart(id: string, attempt: (id: string) => Promise<void>): Promise<void> {
    const scope = new DirectScope();
    this.scopes.set(id, scope);
    await scope.run(() => attempt(id));
    if (this.scopes.get(id) === scope) this.scopes.delete(id);
  }

  /** A planner works beside the main loop too, and says by itself when it has ended. */
  startPlanner(work: () => Promise<void>): void {
    this.inFlight += 1;
    void this.work.run(() => {
      this.planner = new DirectScope();
      return this.planner.run(work);
    });
  }

  /** Looks for better words for questions that are open; says by itself when it has ended. Only a new run waits for it. */
  startRewording(work: () => Promise<void>): void {
    this.rewordingsRunning += 1;
    void this.work.run(() => {
      this.rewordings ??= new DirectScope();
      return this.rewordings.run(work);
    });
  }

  rewordingEnded(): void {
    this.rewordingsRunning -= 1;
    this.changed = true;
  }

  /** The task ends: nobody reads them any more. */
  stopRewordings(): void {
    this.rewordings?.cancel();
  }

  /** What an older plan started, and a planner that nobody waits for any more. */
  stopStale(): void {
    const {
      queue: { running },
      planner: { replan },
    } = this.state;
    for (const id of running) if (staleOf(subtaskOf(this.state, id)) !== undefined) this.scopes.get(id)?.cancel();
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
  failWorkflowTask(error: unknown): void {
    if (isCancellation(error)) return;
    this.fatalError = error instanceof Error ? error : new Error('an attempt broke', { cause: error });
  }

  /** Waits until inputs of this size fit into the completion of a workflow task. Null: they fit now. */
  admit(bytes: number): Promise<void> | null {
    return this.admission.admit(bytes);
  }

  /** Nothing runs and nothing may start: only then does a new run lose nothing. */
  isQuiet(): boolean {
    return this.inFlight === 0 && this.rewordingsRunning === 0 && !this.changed;
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
    if (this.state.control.cancelling === null)
      this.record({ type: 'task.cancelling', reason, ...(code === undefined ? {} : { code }) });
    this.work.cancel();
  }

  /** Shows the state to people, and tells the worker what happened: search attributes cost an event each, so only when they change. */
  publish(): void {
    this.news.send();
    const now = Date.now();
    setCurrentDetails(currentDetails(this.state, now, this.trouble));
    const registered = this.state.plan.settings?.searchAttributes ?? [];
    const values = {
      HeddleState: taskStatus(this.state, now),
      HeddleWaitingOn: [...new Set(this.state.decisions.open.map((decision) => decision.kind))],
    };
    const shown = JSON.stringify(values);
    if (registered.length === 0 || shown === this.published) return;
    const first = this.published === '';
    this.published = shown;
    const pairs: SearchAttributeUpdatePair[] = [
      { key: stateKey, value: values.HeddleState },
      { key: waitingKey, value: values.HeddleWaitingOn },
      ...(first ? [{ key: projectKey, value: this.state.plan.settings?.project ?? '' }] : []),
      ...(first || this.state.budget.used.costUsd !== undefined
        ? [{ key: costKey, value: this.state.budget.used.costUsd ?? 0 }]
        : []),
    ];
    upsertSearchAttributes(pairs.filter((pair) => registered.includes(pair.key.name)));
  }

  setAlarm(): void {
    const { state } = this;
    this.alarm.setTo(dueNext(state, Date.now(), this.carryNotBefore), () => formatDue(state));
  }
}
