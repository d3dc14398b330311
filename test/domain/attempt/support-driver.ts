import { beginAttempt, type Attempt } from '../../../domain/attempt/begin-attempt.ts';
import { takeLostExecution, takeOutcome } from '../../../domain/attempt/take-outcome.ts';
import { takeLostVerification, takeVerdict } from '../../../domain/attempt/take-verdict.ts';
import { isJudged, sendToJudge, takeJudged, takeLostJudgement, type ToJudge } from '../../../domain/attempt/judging.ts';
import { checkAnswer } from '../../../domain/messages/validate-message.ts';
import type { RunningTask } from '../../../domain/task/running-task.ts';
import { askAboutChecks } from '../../../domain/decisions/ask-checks.ts';
import { beginDiagnosis, takeDiagnosed } from '../../../domain/attempt/diagnose.ts';
import { beginExtractions, takeExtracted } from '../../../domain/attempt/extraction.ts';
import { buildLessonId } from '../../../domain/lessons/lesson-words.ts';
import { beginRewordings, applyRewording } from '../../../domain/decisions/escalate.ts';
import { applyDeadlines } from '../../../domain/decisions/apply-deadlines.ts';
import { beginReplan, takePlanned, type PlannerOutcome, type Planning } from '../../../domain/replan/replan.ts';
import { takeAnswer } from '../../../domain/decisions/apply-answer.ts';
import type { Ask, Grant } from '../../../domain/types/agent.ts';
import { watchBudget } from '../../../domain/decisions/watch-budget.ts';
import { watchRemedies } from '../../../domain/remediation/watch-remedies.ts';
import { leaveUnfinished } from '../../../domain/ending/give-up.ts';
import type { Issue, Verdict } from '../../../domain/types/attempt.ts';
import type { EvidenceReason } from '../../../domain/types/basic/remediation.ts';
import type { DecisionAnswer } from '../../../domain/types/decision.ts';
import type { TaskEvent } from '../../../domain/types/events.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import type { JudgedResult, JudgeOutcome, SpentBefore } from '../../../domain/types/judgement.ts';
import type { Finished, Suspended, ResourceUsage } from '../../../domain/types/outcome.ts';
import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import { apply } from '../../../domain/task/apply.ts';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { startable } from '../../../domain/schedule/schedule.ts';
import { recordOf, rowOf, rowsOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { hasEnded } from '../../../domain/types/subtask.ts';
import { failureOf, finishedOf, judgementOf, refOf, verdictOf } from '../support-task.ts';

const lostFailure = failureOf({ type: 'environment', category: 'environment', signature: 'environment-j' });

/** A model's diagnosis of failures before the strongest attempt. */
const diagnosed = {
  diagnosis: { cause: 'a guess', actions: ['try this'], guardrails: [], successCriteria: [] },
  used: { costUsd: 0, tokens: 2, modelCalls: 1 },
  models: [],
};

const phrased = { used: { costUsd: 0, tokens: 3, modelCalls: 1 }, models: [] };

interface FailOptions {
  tokens?: number;
  spent?: boolean;
  /** It was lost: nobody knows what it used. */
  silent?: boolean;
}

/** A task without Temporal, under the rules that the workflow obeys: the clock and the outcomes come from the test. */
export class Driver implements RunningTask {
  state: TaskState;
  now: number;
  /** Sees every event after it was applied. */
  watch: (event: TaskEvent) => void = () => undefined;
  /** The work of the planner. */
  planning: Planning | null = null;
  private readonly begun = new Map<string, Attempt>();

  constructor(state: TaskState, now: number) {
    this.state = state;
    this.now = now;
  }

  record(event: TaskEvent): void {
    apply(this.state, event, this.now);
    this.watch(event);
  }

  begin(id: string): Attempt {
    const first = beginAttempt(this, id);
    const grant = beginDiagnosis(this, id, first);
    const begun = grant === null ? first : takeDiagnosed(this, id, first, diagnosed);
    this.begun.set(id, begun);
    return begun;
  }

  /** A pass of the workflow: deadlines and limits are looked at, then all starts that may. */
  beginAll(): void {
    applyDeadlines(this);
    watchBudget(this);
    watchRemedies(this);
    this.planning = beginReplan(this) ?? this.planning;
    askAboutChecks(this);
    beginRewordings(this);
    beginExtractions(this);
    for (let ids = startable(this.state, this.now); ids.length > 0; ids = startable(this.state, this.now))
      for (const id of ids) this.begin(id);
  }

  /** Takes a model's text for the oldest question that it rewords. */
  phrase(problem: string | null): void {
    const [first] = this.state.planner.rewordings ?? [];
    if (first !== undefined) applyRewording(this, first, { ...phrased, problem });
  }

  /** Takes what a model learned from the oldest subtask that it learns from. */
  learn(texts: readonly string[]): void {
    const [first] = this.state.planner.extractions ?? [];
    const lessons = texts.map((text) => ({ id: buildLessonId(text), text }));
    if (first !== undefined) takeExtracted(this, first, { ...phrased, lessons });
  }

  /** Takes the outcome of the planner. */
  plan(outcome: PlannerOutcome): void {
    this.planning = null;
    takePlanned(this, outcome);
  }

  phaseOf(id: string): Attempt['resumeFrom']['phase'] | undefined {
    return this.begun.get(id)?.resumeFrom.phase;
  }

  grantOf(id: string): Grant {
    return this.begun.get(id)?.grant ?? {};
  }

  pass(id: string, outcome: Exclude<Verdict['outcome'], 'fail'> = 'pass', tokens = 0): void {
    const finished = this.finish(id, tokens);
    if (finished === null) return;
    const checks = outcome === 'pass' ? { passed: 2, total: 2 } : { passed: 0, total: 2 };
    const verdict = verdictOf({ outcome, checks });
    if (!isJudged(this.state, id, verdict)) return takeVerdict(this, id, finished, verdict);
    this.toJudge(id, sendToJudge(this, id, finished, verdict));
  }

  /** Takes the outcome of its judges, once its result is with them. */
  judge(id: string, outcome: Partial<JudgedResult> | 'lost' | 'out-of-budget', tokens = 0): void {
    const resumeFrom = this.begun.get(id)?.resumeFrom;
    if (resumeFrom?.phase !== 'judge') throw new Error(`${id} is not judged now`);
    const { phase: _, ...judging } = resumeFrom;
    if (outcome === 'lost') return takeLostJudgement(this, id, judging, { failure: lostFailure });
    const { used, models } = this.spentBy(id, judging.before, tokens);
    const judged: JudgeOutcome =
      outcome === 'out-of-budget'
        ? {
            kind: 'suspended',
            why: 'budget',
            reason: 'nothing is left',
            waitMs: null,
            checkpoint: null,
            reruns: 0,
            used,
            models,
          }
        : { kind: 'judged', judgement: judgementOf(), issues: [], failure: null, used, models, ...outcome };
    const next = takeJudged(this, id, judging, judged);
    if (next === null || !('verdict' in next)) return this.toJudge(id, next);
    takeVerdict(this, id, judging.finished, next.verdict, next.judgement);
  }

  /** The verdict of an unreadable answer: only checks that passed make more of it than an unchecked result. */
  unreadOutcome(id: string): 'unchecked' | 'pass-with-warnings' {
    const resumeFrom = this.begun.get(id)?.resumeFrom;
    return resumeFrom?.phase === 'judge' && resumeFrom.verdict.outcome === 'unchecked'
      ? 'unchecked'
      : 'pass-with-warnings';
  }

  private toJudge(id: string, sent: ToJudge | null): void {
    const begun = this.begun.get(id);
    if (sent !== null && begun !== undefined)
      this.begun.set(id, { ...begun, resumeFrom: { phase: 'judge', ...sent.judging }, grant: sent.grant });
  }

  /** A judge makes one call, if it may. */
  private spentBy(id: string, { used, models }: SpentBefore, tokens: number): SpentBefore {
    const calls = tokens === 0 ? 0 : Math.min(1, this.grantOf(id).modelCalls ?? 1);
    return { used: { ...used, tokens: used.tokens + tokens, modelCalls: (used.modelCalls ?? 0) + calls }, models };
  }

  finishWith(id: string, used: ResourceUsage): void {
    const finished = takeOutcome(this, id, finishedOf({ used }));
    if (finished !== null) takeVerdict(this, id, finished, verdictOf());
  }

  /** It fails before anything was checked; `spent`: after a retry policy had waited for it to pass. */
  fail(id: string, failure: Failure, { tokens = 0, spent = true, silent = false }: FailOptions = {}): void {
    const used = this.used(id, tokens);
    if (this.begun.get(id)?.resumeFrom.phase === 'verify') return this.failVerdict(id, failure, tokens);
    if (silent) takeLostExecution(this, id, { failure });
    else if (spent) takeLostExecution(this, id, { failure, lastTry: { failure, used, reruns: 0 } });
    else takeOutcome(this, id, { kind: 'failed', failure, used, reruns: 0 });
  }

  /** It runs to its end, and its checks fail. */
  failVerdict(id: string, failure: Failure, tokens = 0): void {
    const finished = this.finish(id, tokens);
    if (finished !== null) takeVerdict(this, id, finished, verdictOf({ outcome: 'fail', failure, result: null }));
  }

  /** It runs to its end, and nothing but evidence is missing. */
  owe(id: string, targets: readonly string[], code: EvidenceReason = 'evidence-gap', tokens = 0): void {
    const finished = this.finish(id, tokens);
    if (finished === null) return;
    const issues = targets.map((target): Issue => ({
      code,
      severity: 'hard',
      message: `no source: ${target}`,
      target,
    }));
    const failure = failureOf({ type: code, signature: code, summary: 'no source is named' });
    takeVerdict(
      this,
      id,
      finished,
      verdictOf({ outcome: 'fail', issues, failure, result: null, provisional: refOf(9) }),
    );
  }

  /** It runs to its end and passes, with evidence for these targets. */
  confirm(id: string, confirmed: string[]): void {
    const finished = this.finish(id, 0);
    if (finished !== null) takeVerdict(this, id, finished, verdictOf({ confirmed }));
  }

  /** It runs to its end, passes its checks, and no judge can be read. */
  passUnread(id: string): void {
    const finished = this.finish(id, 0);
    const judgement = judgementOf({ outcome: 'pass-with-warnings', confidence: 0, reasonCode: 'verifier-unreadable' });
    if (finished !== null) takeVerdict(this, id, finished, verdictOf({ outcome: 'pass-with-warnings' }), judgement);
  }

  /** It runs to its end, and the verifier breaks down. */
  loseVerification(id: string, failure: Failure): void {
    const finished = this.finish(id, 0);
    if (finished !== null) takeLostVerification(this, id, finished, { failure });
  }

  /** An agent comes to the end of its grant; `calls`: how many of it it made. */
  runOut(id: string, calls = Infinity): void {
    const used = this.used(id, calls === 0 ? 0 : 1_000_000, calls);
    const { tokens } = this.used(id, calls === 0 ? 0 : 1);
    this.suspend(id, {
      used: { ...used, tokens },
      why: 'budget',
      reason: 'its share of the budget is spent',
      waitMs: null,
    });
  }

  ask(id: string, asks: Ask): void {
    const why = asks.kind === 'gate' ? 'approval' : asks.kind;
    this.suspend(id, { used: this.used(id, 1), why, reason: 'it waits for an answer', waitMs: null, asks });
  }

  suspend(id: string, given: Partial<Suspended> = {}): void {
    const suspended = {
      used: this.used(id, 0),
      reruns: 0,
      why: 'wait',
      reason: 'a limit',
      waitMs: 1_000,
      checkpoint: null,
    } as const;
    takeOutcome(this, id, { kind: 'suspended', ...suspended, ...given });
  }

  /** As an update does it: checked, then taken. */
  answer(payload: unknown): DecisionAnswer {
    const { decision, answer } = checkAnswer(this.state, payload, this.now);
    takeAnswer(this, decision, answer, { updateId: null, source: 'person' });
    return answer;
  }

  stop(reason: string, code?: ErrorCode): void {
    if (this.state.control.cancelling === null)
      this.record({ type: 'task.cancelling', reason, ...(code === undefined ? {} : { code }) });
  }

  /** Stops as the workflow does: subtasks that have not ended are skipped. */
  endCancelled(): void {
    for (const { id } of rowsOf(this.state)) {
      if (!hasEnded(statusOf(subtaskOf(this.state, id)))) {
        leaveUnfinished(this, id, 'the task was cancelled');
      }
    }
    const how = ending(this.state) ?? { state: 'cancelled' as const, reason: this.state.control.cancelling ?? '' };
    this.record({ type: 'task.ended', ...how });
  }

  private finish(id: string, tokens: number): Finished | null {
    const resumeFrom = this.begun.get(id)?.resumeFrom;
    if (resumeFrom?.phase === 'verify' || resumeFrom?.phase === 'judge') return resumeFrom.finished;
    return takeOutcome(this, id, finishedOf({ used: this.used(id, tokens) }));
  }

  /** Totals of the attempt, as the activities tell them. An agent makes as many calls as it has tokens, if it may. */
  private used(id: string, tokens: number, most = 3): ResourceUsage {
    const before = recordOf(this.state, id)?.used ?? { costUsd: 0, tokens: 0 };
    const used = { ...before, tokens: before.tokens + tokens };
    if (rowOf(this.state, id).call.kind !== 'agent') return used;
    const calls = Math.min(tokens, most, this.grantOf(id).modelCalls ?? Infinity);
    return { ...used, modelCalls: (before.modelCalls ?? 0) + calls };
  }
}
