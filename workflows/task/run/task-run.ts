import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import { retryEntries } from '../../../domain/attempt/retry-entries.ts';
import { dueNext, formatDue } from '../../../domain/schedule/next-due.ts';
import { apply } from '../../../domain/task/apply.ts';
import type { RunningTask } from '../../../domain/task/running-task.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import type { TaskEvent } from '../../../domain/types/events.ts';
import { listCounts } from '../../../domain/views/metric-counts.ts';
import { Alarm } from '../../shared/alarm.ts';
import { Inbox } from '../../shared/inbox.ts';
import { RunSize } from '../../shared/run-size.ts';
import { Waking } from '../../shared/wake.ts';
import { Work } from '../../shared/work.ts';
import { News } from '../../shared/worker-news.ts';
import { buildNewsLine } from './build-news-line.ts';
import { CarryOver } from './carry-over.ts';
import { StateDisplay } from './state-display.ts';

/** One run of a task: its state, the events that change it, and what others see of it. */
export class TaskRun implements RunningTask {
  state: TaskState;
  readonly waking = new Waking();
  readonly work = new Work(() => (this.waking.changed = true));
  readonly inbox: Inbox;
  readonly size = new RunSize();
  readonly carryOver = new CarryOver();
  /** Subtasks whose evidence is checked now: a new run begins only when there is none. */
  readonly checking = new Set<string>();
  private readonly alarm = new Alarm(() => (this.waking.changed = true));
  private readonly news = new News();
  private readonly display = new StateDisplay();

  constructor(state: TaskState, { ready }: { ready: boolean }) {
    this.state = state;
    this.inbox = new Inbox({
      ready,
      noteRefusal: (message, reason) => this.record({ type: 'message.refused', message, reason }),
    });
  }

  get now(): number {
    return Date.now();
  }

  /** Goes on with the state of the run before. */
  restore(state: TaskState): void {
    this.state = state;
    this.size.startHere();
    this.inbox.ready = true;
    this.waking.changed = true;
  }

  record(event: TaskEvent): void {
    const { state, news } = this;
    const before = state.log.lastEventId;
    const retry = retryEntries(state, event, this.now);
    apply(state, event, this.now);
    this.waking.changed ||= this.needsNewPass(event);
    news.count(listCounts(event));
    const loggedEvent = state.log.events.at(-1);
    if (loggedEvent !== undefined && loggedEvent.id > before) news.add(buildNewsLine(state.id, loggedEvent, retry));
    // While a task stops, the main loop does not come by to send it.
    if (state.control.cancelling !== null) news.send();
  }

  /** True when the main loop has to look: the use of an attempt makes no difference where neither use nor time is limited. */
  private needsNewPass({ type }: TaskEvent): boolean {
    return type !== 'attempt.used' || this.alarm.isSet || Object.keys(this.state.budget.limits).length > 0;
  }

  stop(reason: string, code?: ErrorCode): void {
    if (this.state.control.cancelling === null)
      this.record({ type: 'task.cancelling', reason, ...(code === undefined ? {} : { code }) });
    this.work.stopAll();
  }

  /** Shows the state to people, and tells the worker what happened. */
  publish(): void {
    this.news.send();
    this.display.show(this.state, Date.now(), this.carryOver.trouble);
  }

  setAlarm(): void {
    const { state } = this;
    this.alarm.setTo(dueNext(state, Date.now(), this.carryOver.notBefore), () => formatDue(state));
  }

  /** Nothing runs and nothing may start: only then does a new run lose nothing. */
  isQuiet(): boolean {
    return !this.work.isRunning && !this.work.isRunningBehind && !this.waking.changed;
  }
}
