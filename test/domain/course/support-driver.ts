import { checkAnswer } from '../../../domain/course/check-message.ts';
import { apply } from '../../../domain/task/apply.ts';
import type { Verdict } from '../../../domain/model/attempt.ts';
import type { Course } from '../../../domain/course/course.ts';
import type { Answer } from '../../../domain/model/decision.ts';
import type { TaskEvent } from '../../../domain/model/events.ts';
import type { Failure } from '../../../domain/model/failure.ts';
import type { AttemptRecord } from '../../../domain/model/record.ts';
import { afterAttemptFailed, afterAttemptPassed } from '../../../domain/course/recover.ts';
import { definitionOf, hasEnded, recordOf, subtaskOf, type TaskState } from '../../../domain/task/state.ts';
import { ladderOf } from '../../../domain/task/status.ts';
import { takeAnswer } from '../../../domain/course/take-answer.ts';
import { failedRecord, recordFor, resultOf } from '../support-task.ts';

/** A task without Temporal, under the rules that the workflow obeys: the clock and the outcomes come from the test. */
export class Driver implements Course {
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

  pass(id: string, outcome: Exclude<Verdict['outcome'], 'fail'> = 'pass', tokens = 0): void {
    const record: AttemptRecord = {
      ...this.running(id),
      outcome: 'passed',
      endedAt: this.iso(),
      verdict: outcome,
      tokens,
    };
    this.record({ type: 'verdict', subtask: id, attempt: record.attempt, outcome, issues: '' });
    const verdict: Verdict = { outcome, issues: [], commands: [], files: [] };
    afterAttemptPassed(this, definitionOf(this.state, id), record, verdict, resultOf(id));
  }

  fail(id: string, failure: Failure, tokens = 0): void {
    const ended = { ...outcomeOf(failure), endedAt: this.iso(), tokens };
    const record = failedRecord(id, failure, { ...this.running(id), ...ended });
    afterAttemptFailed(this, definitionOf(this.state, id), record, failure, false);
  }

  /** As an update does it: checked, then taken. */
  answer(payload: unknown): Answer {
    const answer = checkAnswer(this.state, payload);
    takeAnswer(this, answer, { updateId: null });
    return answer;
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
