import { batch, computed, signal } from '@preact/signals';
import { at, get, withQuery } from '../api/call.ts';
import type { ActivityLine, AttemptView, LoggedEvent, Paged, SubtaskRow, TaskChange, TaskView } from '../api/wire.ts';

/** An attempt as the timeline shows it; the rest is read when it is opened. */
export interface Knot {
  subtask: string;
  attempt: number;
  tier: number;
  startedAt: number;
  endedAt: number | null;
  outcome: AttemptView['outcome'];
  type: string | null;
  judges: number;
}

/** Events that a page keeps; older ones are in the report. */
const mostEvents = 300;
/** Attempts that the timeline reads at first: 500 subtasks with several attempts each. */
const mostAttempts = 6_000;

/** Events of this time are shown together. */
const flushMs = 60;

/** Everything that a page shows of one task, as it changes. */
export class TaskFeed {
  readonly id: string;
  readonly head = signal<Omit<TaskView, 'subtasks'> | undefined>(undefined);
  readonly rows = signal<ReadonlyMap<string, SubtaskRow>>(new Map());
  readonly events = signal<readonly LoggedEvent[]>([]);
  readonly activity = signal<readonly ActivityLine[]>([]);
  readonly trouble = signal<string | null>(null);
  readonly gaps = signal<readonly { from: number; to: number; host: string | null }[]>([]);
  readonly knots = signal<ReadonlyMap<string, readonly Knot[]>>(new Map());
  readonly problem = signal<unknown>(undefined);
  readonly subtasks = computed(() => [...this.rows.value.values()]);
  readonly isEnded = computed(() => (this.head.value?.endedAt ?? null) !== null);
  private lastId = 0;
  private readonly queue: LoggedEvent[] = [];
  private flushing: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** The number behind which events are new to this page. */
  get since(): number {
    return this.lastId;
  }

  /** Reads the task once; the stream goes on from there. */
  async load(): Promise<void> {
    try {
      this.takeStatus(await get<TaskView>(`/tasks${at(this.id)}`));
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = error;
      return;
    }
    void this.loadAttempts().catch(() => undefined);
    if (this.events.value.length > 0) return;
    const since = Math.max(0, (this.head.value?.lastEventId ?? 0) - mostEvents);
    this.lastId = since;
    await this.readEvents(since).catch(() => undefined);
  }

  async poll(): Promise<void> {
    this.takeStatus(await get<TaskView>(`/tasks${at(this.id)}`));
    this.problem.value = undefined;
    await this.readEvents(this.lastId);
  }

  private async readEvents(since: number): Promise<void> {
    const path = withQuery(`/tasks${at(this.id)}/events`, { since, limit: 1000 });
    const { items } = await get<Paged<LoggedEvent>>(path);
    this.takeEvents(items);
  }

  private async loadAttempts(): Promise<void> {
    let cursor: string | number | null = null;
    const all: AttemptView[] = [];
    do {
      const path = withQuery(`/tasks${at(this.id)}/attempts`, { after: cursor, limit: 1000 });
      const page: Paged<AttemptView> = await get<Paged<AttemptView>>(path);
      all.push(...page.items);
      cursor = page.next;
    } while (cursor !== null && all.length < mostAttempts);
    const next = new Map<string, Knot[]>();
    for (const attempt of all) {
      const list = next.get(attempt.subtask) ?? [];
      list.push(readKnot(attempt));
      next.set(attempt.subtask, list);
    }
    this.knots.value = next;
  }

  takeStatus(view: TaskView): void {
    const { subtasks, ...head } = view;
    batch(() => {
      // A status of the stream has no links and no starter: these stay.
      this.head.value = { ...this.head.value, ...head };
      this.rows.value = new Map(subtasks.map((row) => [row.id, row]));
      if (view.activity !== undefined) this.activity.value = view.activity;
    });
  }

  takeChange({ state, summary, subtasks, budget, decisions }: TaskChange): void {
    const head = this.head.value;
    if (head === undefined) return;
    const open = new Set(decisions);
    batch(() => {
      this.head.value = {
        ...head,
        state,
        summary,
        budget,
        decisions: head.decisions.filter(({ id }) => open.has(id)),
      };
      if (subtasks.length === 0) return;
      const next = new Map(this.rows.value);
      for (const row of subtasks) next.set(row.id, row);
      this.rows.value = next;
    });
  }

  /** Events come one by one, and are shown together: a busy task has hundreds in a second. */
  queueEvent(event: LoggedEvent): void {
    this.queue.push(event);
    this.flushing ??= setTimeout(() => {
      this.flushing = undefined;
      this.takeEvents(this.queue.splice(0));
    }, flushMs);
  }

  takeEvents(items: readonly LoggedEvent[]): void {
    const fresh = items.filter(({ id }) => id > this.lastId);
    const last = fresh.at(-1);
    if (last === undefined) return;
    this.lastId = last.id;
    batch(() => {
      this.events.value = [...this.events.value, ...fresh].slice(-mostEvents);
      this.tieKnots(fresh);
      for (const event of fresh) this.takeFacts(event);
    });
  }

  /** Facts that arrive with an event and that no row has. */
  private takeFacts(event: LoggedEvent): void {
    const head = this.head.value;
    if (head === undefined) return;
    if (event.type === 'decision.opened' && !head.decisions.some(({ id }) => id === event.decision.id))
      this.head.value = { ...head, decisions: [...head.decisions, event.decision] };
    if (event.type === 'plan.ready' || event.type === 'plan.replaced')
      this.head.value = { ...head, planVersion: event.planVersion };
    if (event.type === 'task.ended')
      this.head.value = { ...head, state: event.state, endedAt: event.time, code: event.code ?? null };
  }

  /** Attempts that begin and end while the page is open. */
  private tieKnots(events: readonly LoggedEvent[]): void {
    let next: Map<string, readonly Knot[]> | undefined;
    for (const event of events) {
      if (event.type !== 'attempt.started' && event.type !== 'attempt.passed' && event.type !== 'attempt.failed')
        continue;
      next ??= new Map(this.knots.value);
      next.set(event.subtask, tieKnot(next.get(event.subtask) ?? [], event));
    }
    if (next !== undefined) this.knots.value = next;
  }

  takeEnd(): void {
    void this.poll().catch(() => undefined);
    void this.loadAttempts().catch(() => undefined);
  }
}

type AttemptEvent = Extract<LoggedEvent, { type: 'attempt.started' | 'attempt.passed' | 'attempt.failed' }>;

function tieKnot(knots: readonly Knot[], event: AttemptEvent): readonly Knot[] {
  const { subtask, attempt } = event;
  const time = Date.parse(event.time);
  if (event.type === 'attempt.started') {
    if (knots.some((knot) => knot.attempt === attempt)) return knots;
    const begun = { subtask, attempt, tier: event.tier, startedAt: time, endedAt: null, type: null, judges: 0 };
    return [...knots, { ...begun, outcome: 'running' }];
  }
  const ended =
    event.type === 'attempt.passed'
      ? ({ outcome: 'passed', type: null } as const)
      : ({ outcome: 'failed', type: event.failure.type } as const);
  return knots.map((knot) =>
    knot.attempt === attempt && knot.endedAt === null ? { ...knot, ...ended, endedAt: time } : knot,
  );
}

function readKnot(view: AttemptView): Knot {
  const { subtask, attempt, tier, outcome, type } = view;
  return {
    ...{ subtask, attempt, tier, outcome, type },
    startedAt: Date.parse(view.startedAt),
    endedAt: view.endedAt === null ? null : Date.parse(view.endedAt),
    judges: view.judgement?.votes.length ?? 0,
  };
}
