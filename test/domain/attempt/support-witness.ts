import type { Decision } from '../../../domain/types/decision.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';
import { stalled } from '../../../domain/schedule/task-ending.ts';
import type { TaskEvent } from '../../../domain/types/events.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { nextCheck, startable, taskStatus } from '../../../domain/schedule/schedule.ts';
import {
  isLastTryDue,
  listOpenItems,
  openItem,
  recordOf,
  rowOf,
  rowsOf,
  subtaskOf,
  writtenBy,
} from '../../../domain/task/read-state.ts';
import { grantOf, staleOf, statusOf, suspensionOf } from '../../../domain/task/subtask-phase.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { hasEnded } from '../../../domain/types/subtask.ts';
import { statusView, summarise } from '../../../domain/views/task-status.ts';
import { utf8Length } from '../../../domain/text/text.ts';
import type { Driver } from './support-driver.ts';

/** Cheaper than an assertion of the test library where millions are made. */
export function must(condition: boolean, what: () => string): void {
  if (!condition) throw new Error(what());
}

/** Equal as JSON, whatever the order of the keys: cheaper than making JSON of both. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((value, index) => isSame(value, other[index]))
    );
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  for (const key in a) if (!isSame(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

/** Events that change the state and are told by what they belong to. */
const untold: ReadonlySet<TaskEvent['type']> = new Set([
  'replan.asked',
  'stale.end-planned',
  'replan.started',
  'planner.used',
  'replan.declined',
  'plan.normalised',
  'attempt.used',
  'attempt.judging',
  'attempt.diagnosing',
  'attempt.diagnosed',
  'decision.phrasing',
  'lesson.extracting',
  'attempt.cancelled',
  'attempt.rejected',
  'attempt.answered',
  'program.permitted',
  'check.decided',
  'subtask.retried',
  'attempt.reverted',
  'remediation.parked',
  'remediation.last',
  'budget.raised',
  'task.finishing',
]);

/** Facts seen so far, to be compared with the state. */
export class Witness {
  private readonly driver: Driver;
  readonly opened = new Set<string>();
  readonly answers = new Map<string, number>();
  /** The check that a question is about, and those that were answered, of their subtasks. */
  private readonly asks = new Map<string, string>();
  private readonly checked = new Set<string>();
  /** The subtask that a question is about, and those whose result a person has accepted. */
  private readonly subjects = new Map<string, string | null>();
  private readonly accepted = new Set<string>();
  private readonly tiers = new Map<string, number>();
  private readonly ended = new Map<string, string>();
  private lastEventId: number;
  private ids: string[];
  private readonly completed = new Map<string, string>();
  private readonly superseded = new Set<string>();
  /** Attempts that a plan started which is no more. */
  private readonly stale = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  private readonly most = new Map<string, number>();
  private readonly queued = new Set<string>();
  private readonly settled = new Set<string>();
  private replans = 0;
  private planned = 0;
  private diagnosed = 0;
  private readonly attempts = new Map<string, { attempt: number; startedAt: string }>();

  constructor(driver: Driver) {
    this.driver = driver;
    this.lastEventId = driver.state.log.lastEventId;
    this.ids = rowsOf(driver.state).map(({ id }) => id);
  }

  /** Use of models beside attempts. */
  get tokens(): number {
    return this.planned + this.diagnosed;
  }

  see(event: TaskEvent): void {
    const { state } = this.driver;
    const isSilent =
      (event.type === 'decision.phrased' && event.problem === null) ||
      (event.type === 'lesson.learned' && event.lessons.length === 0);
    const shown = isSilent || untold.has(event.type) ? 0 : 1;
    must(
      state.log.lastEventId === this.lastEventId + shown,
      () => `${event.type} is numbered ${state.log.lastEventId}`,
    );
    this.lastEventId = state.log.lastEventId;
    if (shown === 1) must(/^[^\n]+$/.test(state.log.events.at(-1)?.text ?? ''), () => `${event.type} has no sentence`);
    if (event.type === 'attempt.started') this.seeStart(state, event.subtask, event.record.tier);
    if (event.type === 'attempt.started') this.attempts.set(event.subtask, event.record);
    if (event.type === 'attempt.resumed') this.seeResumed(state, event.subtask, event.attempt);
    this.seeGrants(state);
    this.seeRemedies(state, event);
    this.seePlans(state, event);
    this.seeUnchecked(state, event);
    if (event.type === 'decision.opened') this.seeQuestion(state, event.decision);
    if (event.type === 'decision.answered') {
      const { decisionId } = event.answer;
      const times = (this.answers.get(decisionId) ?? 0) + 1;
      this.answers.set(decisionId, times);
      must(times === 1, () => `${decisionId} was answered ${times} times`);
      this.checked.add(this.asks.get(decisionId) ?? '');
    }
  }

  /** Only a person completes work that a model planned and nothing checked. */
  private seeUnchecked(state: TaskState, event: TaskEvent): void {
    if (event.type === 'attempt.started') this.accepted.delete(event.subtask);
    if (event.type === 'decision.opened') this.subjects.set(event.decision.id, event.decision.subtask);
    if (event.type === 'decision.answered' && event.source === 'person' && event.answer.option === 'approve')
      this.accepted.add(this.subjects.get(event.answer.decisionId) ?? '');
    if (event.type !== 'subtask.completed' || event.verdict !== 'unchecked') return;
    if (rowOf(state, event.subtask).whenUnchecked === undefined) return;
    must(this.accepted.has(event.subtask), () => `${event.subtask} is completed unchecked, and nobody accepted it`);
  }

  /** Completed subtasks stay, nothing is lost, attempts are counted on; outcomes of an older plan count for nothing. */
  private seePlans(state: TaskState, event: TaskEvent): void {
    switch (event.type) {
      case 'planner.used':
        this.planned = event.used.tokens;
        return;
      case 'attempt.diagnosed':
      case 'decision.phrased':
      case 'lesson.learned':
        this.diagnosed += event.used.tokens;
        return;
      case 'subtask.completed':
        this.completed.set(event.subtask, JSON.stringify(wholeOf(state, event.subtask)));
        must(!this.superseded.has(event.subtask), () => `${event.subtask} is completed and was superseded`);
        return;
      case 'attempt.started':
      case 'attempt.resumed':
        must(!this.superseded.has(event.subtask), () => `${event.subtask} runs and was superseded`);
        must(staleOf(subtaskOf(state, event.subtask)) === undefined, () => `${event.subtask} runs twice`);
        this.counts.set(event.subtask, subtaskOf(state, event.subtask).climb.attempts);
        return;
      case 'outcome.stale':
        must(this.stale.get(event.subtask) === event.attempt, () => `${event.subtask} is not of an older plan`);
        this.stale.delete(event.subtask);
        return;
      case 'verdict':
      case 'attempt.passed':
      case 'attempt.failed':
      case 'attempt.suspended':
        must(!this.stale.has(event.subtask), () => `${event.type} of ${event.subtask}, by an older plan`);
        return;
      case 'plan.replaced':
        return this.seePlan(state, event);
      default:
    }
  }

  private seePlan(state: TaskState, { plan, changes }: Extract<TaskEvent, { type: 'plan.replaced' }>): void {
    const ids = rowsOf(state).map(({ id }) => id);
    must(
      this.ids.every((id, index) => ids[index] === id),
      () => 'a subtask was lost',
    );
    must(new Set(ids).size === ids.length, () => 'an id is there twice');
    this.ids = ids;
    this.replans += 1;
    must(
      this.replans <= limits.replans && state.budget.used.replans === this.replans,
      () => `${this.replans} new plans`,
    );
    must(plan.version === this.replans + 1, () => `version ${plan.version}`);
    for (const [id, whole] of this.completed)
      must(isSame(wholeOf(state, id), JSON.parse(whole)), () => `${id} was completed and changed`);
    for (const [id, attempts] of this.counts)
      must(subtaskOf(state, id).climb.attempts === attempts, () => `${id} has another count of attempts`);
    for (const { id } of changes.superseded) this.superseded.add(id);
    for (const id of state.queue.running) {
      const isChanged =
        changes.retargeted.includes(id) || changes.superseded.some((superseded) => superseded.id === id);
      const stale = staleOf(subtaskOf(state, id));
      must(!isChanged || stale !== undefined, () => `${id} runs on by the old plan`);
      if (stale !== undefined) this.stale.set(id, recordOf(state, id)?.attempt ?? 0);
    }
  }

  /** Dependents are freed once, each item ends once, and nothing that is owed is forgotten. */
  private seeRemedies(state: TaskState, event: TaskEvent): void {
    switch (event.type) {
      case 'remediation.queued':
        must(!this.queued.has(event.item.id), () => `${event.item.id} was queued twice`);
        this.queued.add(event.item.id);
        return;
      case 'remediation.done':
      case 'remediation.failed':
      case 'remediation.expired':
      case 'remediation.waived':
      case 'remediation.dropped':
        must(!this.settled.has(event.item), () => `${event.item} ended twice`);
        this.settled.add(event.item);
        return;
      case 'subtask.completed':
      case 'subtask.failed':
      case 'subtask.skipped': {
        const { remedy } = subtaskOf(state, event.subtask);
        must(remedy === undefined || remedy.ended !== undefined, () => `${event.subtask} ended and still owes`);
        const isPartial = event.type === 'subtask.completed' && remedy !== undefined;
        must(!isPartial || event.verdict === 'partial-verified', () => `${event.subtask} owes and passed`);
        return;
      }
      case 'task.ended':
        must(listOpenItems(state).length === 0, () => 'an item is open at the end');
        must((state.remedies?.count ?? 0) === this.settled.size, () => 'an item was lost');
        return;
      default:
    }
  }

  private seeStart(state: TaskState, id: string, tier: number): void {
    this.seeNoPause(state, id);
    const definition = rowOf(state, id);
    for (const dependency of definition.dependsOn) {
      const status = statusOf(subtaskOf(state, dependency));
      const isReleased = subtaskOf(state, dependency).released === true;
      must(
        isReleased || status === 'completed' || status === 'skipped',
        () => `${id} started while ${dependency} is ${status}`,
      );
    }
    for (const { hash } of definition.askedChecks ?? [])
      must(this.checked.has(`${id} ${hash}`), () => `${id} started before check ${hash} was answered`);
    must(nextCheck(state, id) === undefined, () => `${id} started and is asked about again`);
    if (definition.synthesis) must(state.queue.unfinishedNormal === 0, () => `synthesis ${id} started too early`);
    must(tier >= (this.tiers.get(id) ?? 0), () => `the tier of ${id} fell to ${tier}`);
    this.tiers.set(id, tier);
    const { attempts, maxAttempts } = subtaskOf(state, id).climb;
    must(attempts <= maxAttempts, () => `attempt ${attempts} of ${id} above ${maxAttempts}`);
    const answers = [...this.answers.keys()].filter((decision) => decision.startsWith(`${id}-`)).length;
    const tried = openItem(state, id) === undefined ? 0 : 1;
    const most = Math.max(definition.maxAttempts, this.most.get(id) ?? 0) + tried;
    this.most.set(id, most);
    must(attempts <= most + 3 * (answers + this.replans), () => `${attempts} attempts of ${id}, ${answers} answers`);
    this.seeRunning(state);
  }

  /** The attempt that stood still goes on, and no other. */
  private seeResumed(state: TaskState, id: string, attempt: number): void {
    this.seeNoPause(state, id);
    const began = this.attempts.get(id);
    const { startedAt, outcome } = recordOf(state, id) ?? {};
    must(
      attempt === began?.attempt,
      () => `attempt ${attempt} of ${id} is resumed, which began as ${began?.attempt ?? 0}`,
    );
    must(startedAt === began?.startedAt && outcome === 'running', () => `another attempt of ${id} is resumed`);
    this.seeRunning(state);
  }

  /** A pause: whatever would begin or go on waits for its end. */
  private seeNoPause({ control: { paused } }: TaskState, id: string): void {
    must(paused === null, () => `${id} began in a pause`);
  }

  private seeGrants(state: TaskState): void {
    const limit = state.budget.limits.modelCalls;
    if (limit === undefined) return;
    const held = rowsOf(state).reduce((sum, { id }) => sum + (grantOf(subtaskOf(state, id))?.modelCalls ?? 0), 0);
    const used = state.budget.used.modelCalls ?? 0;
    const planner = (state.planner.replan?.grant ?? state.planner.abandonedGrant)?.modelCalls ?? 0;
    const { rewordings = [], extractions = [] } = state.planner;
    const words = [...rewordings, ...extractions].reduce((sum, { grant }) => sum + (grant.modelCalls ?? 0), 0);
    must(used + held + planner + words <= limit, () => `${used} calls used and ${held} given of ${limit}`);
  }

  private seeRunning(state: TaskState): void {
    must(
      state.queue.running.length <= (state.plan.settings?.maxParallelSubtasks ?? 0),
      () => `${state.queue.running.length} run at once`,
    );
    const written = state.queue.running.flatMap((id) => writtenBy(state, id));
    must(new Set(written).size === written.length, () => `two write the same: ${state.queue.running.join(', ')}`);
  }

  private seeQuestion(state: TaskState, decision: Decision): void {
    must(!this.opened.has(decision.id), () => `${decision.id} was opened twice`);
    this.opened.add(decision.id);
    if (decision.kind === 'approval' && decision.action !== undefined && decision.check === true)
      this.asks.set(decision.id, `${decision.subtask} ${decision.action.hash}`);
    const ids = decision.options.map(({ id }) => id);
    must(ids.length >= 2 && ids.length <= 7, () => `${decision.id} has ${ids.length} options`);
    must(ids.includes(decision.recommendation), () => `${decision.id} recommends what it does not offer`);
    must(utf8Length(currentDetails(state, this.driver.now)) <= limits.currentDetails, () => 'the details are too long');
  }

  /** Every subtask is in exactly one place, and what has ended stays as it ended. */
  seeState(): void {
    const { state, now } = this.driver;
    const places = [state.queue.ready, state.queue.delayed, state.queue.running];
    let open = 0;
    let openNormal = 0;
    for (const definition of rowsOf(state)) {
      const subtask = subtaskOf(state, definition.id);
      const { id, phase, waitsFor } = subtask;
      const [status, grant] = [statusOf(subtask), grantOf(subtask)];
      const decision = phase.name === 'asked' ? phase.decision : null;
      const at = places.filter((place) => place.includes(id)).length;
      if (hasEnded(status)) {
        must(at === 0, () => `${id} is ${status} and still in the queue`);
        must(grant === undefined, () => `${id} is ${status} and holds a grant`);
        must(!this.stale.has(id), () => `${id} is ${status} and its attempt runs`);
        must((this.ended.get(id) ?? status) === status, () => `${id} was ${this.ended.get(id) ?? ''} and is ${status}`);
        must(
          !state.decisions.open.some((question) => question.subtask === id),
          () => `${id} is ${status} and asked about`,
        );
        this.ended.set(id, status);
        continue;
      }
      must(
        suspensionOf(subtask) === undefined || !state.queue.running.includes(id),
        () => `${id} holds a slot while suspended`,
      );
      open += 1;
      if (!definition.synthesis) openNormal += 1;
      const stopped = state.control.cancelling !== null && status === 'pending';
      // An attempt of an older plan runs until it has stopped, whatever it is to wait for then.
      const isHeld = waitsFor > 0 && status !== 'running';
      const expected = status === 'waiting' || isHeld || phase.name === 'parked' || (stopped && at === 0) ? 0 : 1;
      must(at === expected, () => `${id} is ${status} and in ${at} places`);
      must((status === 'running') === state.queue.running.includes(id), () => `${id} is ${status} and runs or not`);
      if (state.control.cancelling !== null) continue;
      const { request: request, next } = state.planner.replan ?? {};
      const isPlanned = request?.subtasks.includes(id) === true || next?.subtasks.includes(id) === true;
      must(
        (status === 'waiting') === (decision !== null) || (isPlanned && status === 'waiting'),
        () => `${id} is ${status} and asked about in ${decision ?? 'no question'}`,
      );
    }
    must(
      state.queue.unfinished === open && state.queue.unfinishedNormal === openNormal,
      () => `open: ${state.queue.unfinished}, ${state.queue.unfinishedNormal}`,
    );
    this.seeStatus(state, now);
  }

  private seeStatus(state: TaskState, now: number): void {
    const status = taskStatus(state, now);
    const continues =
      state.queue.running.length > 0 || state.queue.delayed.length > 0 || startable(state, now).length > 0;
    if (status === 'waiting') {
      must(state.decisions.open.length > 0, () => 'waiting for nobody');
      const held = state.decisions.open.some((decision) => decision.subtask === null);
      must(state.queue.running.length === 0 && (held || !continues), () => 'waiting although something goes on');
    }
    // The next pass asks about its check.
    const isAsked = state.queue.ready.some((id) => nextCheck(state, id) !== undefined);
    if (status === 'running' && state.control.cancelling === null)
      must(
        continues ||
          isAsked ||
          isLastTryDue(state) ||
          state.queue.unfinished === 0 ||
          [
            state.planner.replan,
            state.planner.rewordings,
            state.planner.extractions,
            state.planner.abandonedGrant,
          ].some((one) => one !== undefined),
        () => 'running, but nothing runs',
      );
    const summary = summarise(state, now);
    must(summary !== '' && !summary.includes('\n'), () => `no summary when ${status}`);
    const reasons = stalled(state, now);
    must(reasons.length === 0, () => `stalled: ${reasons.join('; ')}`);
  }

  /** The whole view of a reader. */
  seeView(): void {
    const { state, now } = this.driver;
    const view = statusView(state, now);
    must(view.state === taskStatus(state, now), () => `${view.state} is shown`);
    must(view.summary === summarise(state, now), () => `${view.summary} is shown`);
    must(view.subtasks.length === rowsOf(state).length, () => `${view.subtasks.length} subtasks are shown`);
  }
}

const wholeOf = (state: TaskState, id: string): unknown[] => [subtaskOf(state, id), rowOf(state, id)];
