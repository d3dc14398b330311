import { checkAnswer } from '../../domain/answer.ts';
import { apply } from '../../domain/apply.ts';
import { checkBudget } from '../../domain/budget.ts';
import { approvalStep, confidence } from '../../domain/confidence.ts';
import { afterAnswer, afterFailure } from '../../domain/consequences.ts';
import { approvalOptions, budgetOptions, type Answer } from '../../domain/decision.ts';
import { escalation } from '../../domain/escalate.ts';
import type { TaskEvent } from '../../domain/events.ts';
import type { AttemptRecord, Failure } from '../../domain/failure.ts';
import { climbAfter, type NextStep } from '../../domain/ladder.ts';
import { limits } from '../../domain/limits.ts';
import { knownFix } from '../../domain/memory.ts';
import { independentOf } from '../../domain/schedule.ts';
import { definitionOf, hasEnded, recordOf, subtaskOf, type TaskState } from '../../domain/state.ts';
import { ladderOf } from '../../domain/status.ts';
import { strategyFor } from '../../domain/strategies.ts';
import { decisionOf, failedRecord, recordFor, resultOf } from './support-task.ts';

/** Records the events that the workflow would record, without Temporal: the clock and the outcomes come from the test. */
export class Driver {
  state: TaskState;
  now: number;
  /** Sees every event after it was applied. */
  watch: (event: TaskEvent) => void = () => undefined;

  constructor(state: TaskState, now: number) {
    this.state = state;
    this.now = now;
  }

  record(event: TaskEvent): void {
    apply(this.state, event, this.now);
    this.watch(event);
  }

  begin(id: string): void {
    const subtask = subtaskOf(this.state, id);
    if (subtask.resumes) return this.record({ type: 'attempt.resumed', subtask: id });
    if (subtask.climb.attempts === 0) this.record({ type: 'subtask.started', subtask: id });
    const step = ladderOf(this.state, id).steps[subtask.climb.step];
    if (step === undefined) throw new Error(`${id} stands on no rung`);
    const record = recordFor(id, {
      attempt: subtask.climb.attempts + 1,
      rung: step.rung,
      tier: step.tier,
      thinking: step.thinking,
      strategy: subtask.strategy,
      startedAt: this.iso(),
    });
    this.record({ type: 'attempt.started', subtask: id, record });
  }

  pass(id: string, outcome: 'pass' | 'pass-with-warnings' | 'partial-verified' = 'pass', tokens = 0): void {
    const record: AttemptRecord = {
      ...this.running(id),
      outcome: 'passed',
      endedAt: this.iso(),
      verdict: outcome,
      tokens,
    };
    const { attempt } = record;
    this.record({ type: 'verdict', subtask: id, attempt, outcome, issues: '' });
    this.record({ type: 'attempt.passed', subtask: id, attempt, record, result: resultOf(id) });
    const approval = this.task().approval;
    const score = confidence({ checksPassed: true, warnings: outcome !== 'pass', attempts: attempt });
    if (approvalStep(approval, score) === 'proceed') {
      this.record({ type: 'subtask.completed', subtask: id, verdict: outcome });
    } else {
      this.record({
        type: 'decision.opened',
        decision: decisionOf({
          id: `${id}-${subtaskOf(this.state, id).decisions + 1}`,
          kind: 'approval',
          subtask: id,
          problem: `${id} is done. Do you accept the result?`,
          recommendation: 'approve',
          options: approvalOptions(id),
          openedAt: this.iso(),
        }),
      });
    }
    this.watchBudget();
  }

  fail(id: string, failure: Failure, tokens = 0): void {
    const { state } = this;
    const running = this.running(id);
    const { attempt } = running;
    const record = failedRecord(id, failure, { ...running, ...outcomeOf(failure), endedAt: this.iso(), tokens });
    const subtask = subtaskOf(state, id);
    if (state.cancelling !== null || this.isFinishing()) {
      const next = { kind: 'stopped' as const };
      this.record({ type: 'attempt.failed', subtask: id, attempt, record, failure, next, waitMs: 0 });
      if (this.isFinishing()) this.record({ type: 'subtask.skipped', subtask: id, reason: 'the task finishes' });
      return;
    }
    if (failure.category === 'environment' && subtask.environmentWaits < limits.environmentWait.times) {
      const { first, factor, most } = limits.environmentWait;
      const waitMs = Math.min(first * factor ** subtask.environmentWaits, most);
      const waiting: AttemptRecord = { ...record, outcome: 'running', endedAt: null };
      return this.record({
        type: 'attempt.rerun',
        subtask: id,
        attempt,
        reason: 'environment',
        failure,
        waitMs,
        record: waiting,
      });
    }
    const next = this.nextStep(id, failure);
    const waitMs = next.kind === 'climb' ? strategyFor(failure.type, definitionOf(state, id).recovery).wait : 0;
    this.record({ type: 'attempt.failed', subtask: id, attempt, record, failure, next, waitMs });
    if (next.kind === 'person') this.askPerson(id, failure, next.because);
    if (next.kind === 'fail') {
      this.record({ type: 'subtask.failed', subtask: id, reason: failure.summary });
      for (const event of afterFailure(state, id)) this.record(event);
    }
    this.watchBudget();
  }

  private nextStep(id: string, failure: Failure): NextStep {
    const ladder = ladderOf(this.state, id);
    if (failure.category !== 'quality') return { kind: ladder.person ? 'person' : 'fail', because: 'ladder' };
    const { tries } = strategyFor(failure.type, definitionOf(this.state, id).recovery);
    const { climb } = subtaskOf(this.state, id);
    const known = knownFix(this.task().memory?.signatures ?? [], failure.signature);
    return climbAfter(ladder, climb, { signature: failure.signature, tries }, known);
  }

  private askPerson(id: string, failure: Failure, because: string): void {
    const { state } = this;
    if (failure.category === 'blocked') {
      const independent = independentOf(state, id);
      this.record({ type: 'subtask.blocked', subtask: id, reason: failure.summary, independent, waits: true });
    }
    const decision = escalation(state, id, failure, because, this.now);
    this.record({ type: 'decision.opened', decision });
    const standing = state.standing[failure.signature];
    if (
      standing !== undefined &&
      subtaskOf(state, id).decisions === 1 &&
      decision.options.some((option) => option.id === standing.option)
    ) {
      return this.take({ ...standing, decisionId: decision.id, scope: 'once' });
    }
    if (state.escalations >= this.task().escalationPause && state.paused === null) {
      this.record({ type: 'task.paused', reason: `${state.escalations} escalations`, by: 'escalations' });
    }
  }

  /** As an update does it: checked, then taken. */
  answer(payload: unknown): Answer {
    const answer = checkAnswer(this.state, payload);
    this.take(answer);
    return answer;
  }

  private take(answer: Answer): void {
    const { state } = this;
    this.record({ type: 'decision.answered', answer, updateId: null });
    const answered = state.answered[answer.decisionId];
    if (answered === undefined) throw new Error('the answer was not recorded');
    const { events, stop } = afterAnswer(state, answered);
    for (const event of events) this.record(event);
    if (stop !== undefined) this.stop(stop);
    const { signature } = answered.decision;
    if (answer.scope !== 'signature' || signature === null) return;
    for (const { id, options } of state.decisions.filter((open) => open.signature === signature)) {
      if (options.some((option) => option.id === answer.option))
        this.take({ ...answer, decisionId: id, scope: 'once' });
    }
  }

  private watchBudget(): void {
    const { state } = this;
    if (state.open === 0 || state.cancelling !== null || this.isFinishing()) return;
    for (const { key, used, limit, level } of checkBudget(state.budget, state.used)) {
      if (level === 'warning') {
        if (!state.warned.includes(key)) this.record({ type: 'budget.warning', key, used, limit });
        continue;
      }
      const prefix = `budget-${key}-`;
      if (state.decisions.some(({ id }) => id.startsWith(prefix))) continue;
      const asked = Object.keys(state.answered).filter((id) => id.startsWith(prefix)).length;
      this.record({ type: 'budget.exhausted', key, used, limit });
      this.record({
        type: 'decision.opened',
        decision: decisionOf({
          id: `${prefix}${asked + 1}`,
          kind: 'budget',
          subtask: null,
          problem: 'The budget is used up.',
          recommendation: 'raise',
          options: budgetOptions(key),
          openedAt: this.iso(),
        }),
      });
    }
  }

  private isFinishing(): boolean {
    return Object.values(this.state.answered).some(({ answer }) => answer.option === 'finish');
  }

  stop(reason: string): void {
    if (this.state.cancelling === null) this.record({ type: 'task.cancelling', reason });
  }

  /** What the workflow does when it was stopped: what has not ended is left out. */
  endCancelled(): void {
    for (const { id } of this.task().subtasks) {
      if (!hasEnded(subtaskOf(this.state, id).status)) {
        this.record({ type: 'subtask.skipped', subtask: id, reason: 'the task was cancelled' });
      }
    }
    this.record({ type: 'task.ended', state: 'cancelled', reason: this.state.cancelling ?? '' });
  }

  private running(id: string): AttemptRecord {
    const record = recordOf(this.state, id);
    if (record?.outcome !== 'running') throw new Error(`${id} does not run`);
    return record;
  }

  private task() {
    if (this.state.task === null) throw new Error('no plan');
    return this.state.task;
  }

  private iso(): string {
    return new Date(this.now).toISOString();
  }
}

const outcomeOf = (failure: Failure): Partial<AttemptRecord> => ({
  outcome: 'failed',
  type: failure.type,
  category: failure.category,
  signature: failure.signature,
  summary: failure.summary,
});
