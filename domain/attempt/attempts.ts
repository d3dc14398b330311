import type { Grant, PersonReply } from '../types/agent.ts';
import type { InputRef, PastFailure, PromptContext, Verdict, VerifyCommandResult } from '../types/attempt.ts';
import type { ResumePoint } from '../types/events.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { Judgement } from '../types/judgement.ts';
import type { Step } from '../types/ladder.ts';
import type { Finished, LastTry, Outcome } from '../types/outcome.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { limits } from '../limits/domain-limits.ts';
import { grantFor } from '../schedule/grants.ts';
import { addEmphasis, timeLimitAfter } from '../failure/recovery-strategies.ts';
import { limitsOf, recordOf, rowOf, subtaskOf } from '../task/read-state.ts';
import { suspensionOf, passedOf, reasonOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { resolveLadder } from '../task/read-state.ts';
import { clip } from '../text/text.ts';
import { afterAttemptFailed, afterAttemptPassed } from './after-attempt.ts';
import type { RunningTask } from '../task/running-task.ts';
import { dropStale } from '../replan/replan.ts';
import { steeringFor } from '../messages/steering.ts';
import { findGrantShortage, suspendAttempt } from './suspend-attempt.ts';
import { formatIssues } from './format-issues.ts';

/*
 * The life of an attempt: it begins (or goes on), is executed, checked, and ends or stands still. The workflow and the model test
 * play these functions; only where the outcomes come from differs.
 */

/** One attempt from its begin to its record: everything that its execution, verification and judging need. `docs/glossary.md` defines the levels: an attempt contains executions, an execution contains activity tries. */
export interface Attempt {
  subtask: string;
  attempt: number;
  /** When the attempt began, also when it goes on. */
  startedAt: string;
  step: Step;
  /** Milliseconds. */
  timeout: number;
  /** It works in a copy of the workspace. */
  isolation?: 'worktree';
  resumeFrom: ResumePoint;
  /** The grant and a person's reply, for an agent. */
  grant: Grant;
  reply: PersonReply | null;
}

/** A new attempt, or the one that stood still: same number, same key. */
export function beginAttempt(task: RunningTask, id: string): Attempt {
  const { state } = task;
  const subtask = subtaskOf(state, id);
  const { climb, strategy } = subtask;
  const suspension = suspensionOf(subtask);
  const step = currentStep(state, id);
  const { isolation } = rowOf(state, id);
  const facts = {
    ...{ subtask: id, step, timeout: computeTimeLimit(state, id, step) },
    ...(isolation === undefined ? {} : { isolation }),
  };
  const grant = grantFor(state, id);
  if (grant === null) throw new Error(`there is nothing that ${id} may spend`);
  const given = Object.keys(grant).length === 0 ? {} : { grant };
  if (suspension !== undefined) {
    const { why, resumeFrom, reply = null } = suspension;
    const { attempt, startedAt } = runningRecord(state, id);
    task.record({ type: 'attempt.resumed', subtask: id, attempt, why, ...given });
    return { ...facts, attempt, startedAt, resumeFrom, grant, reply };
  }
  if (climb.attempts === 0) task.record({ type: 'subtask.started', subtask: id });
  const attempt = climb.attempts + 1;
  const startedAt = new Date(task.now).toISOString();
  const record: AttemptRecord = {
    subtask: id,
    attempt,
    rung: step.rung,
    tier: step.tier,
    thinking: step.thinking,
    strategy,
    startedAt,
    endedAt: null,
    outcome: 'running',
    failure: null,
    notes: '',
    files: [],
    verify: [],
    verdict: null,
    reruns: 0,
    waits: [],
    used: { costUsd: 0, tokens: 0 },
    output: null,
  };
  task.record({ type: 'attempt.started', subtask: id, record, ...given });
  const resumeFrom: ResumePoint = { phase: 'execute', checkpoint: null };
  return { ...facts, attempt, startedAt, resumeFrom, grant, reply: null };
}

function currentStep(state: TaskState, id: string): Step {
  const step = resolveLadder(state, id).steps[subtaskOf(state, id).climb.step];
  if (step === undefined) throw new Error(`${id} stands on no rung`);
  return step;
}

/** The rung's or the executor's limit, longer after each failure whose strategy says so, bounded. */
function computeTimeLimit(state: TaskState, id: string, step: Step): number {
  const { call, recovery } = rowOf(state, id);
  const { timeoutGrowthCeiling: ceiling } = limitsOf(state);
  return timeLimitAfter(subtaskOf(state, id).failureCounts, step.timeout ?? call.timeout, recovery, ceiling);
}

function runningRecord(state: TaskState, id: string): AttemptRecord {
  const record = recordOf(state, id);
  if (record?.outcome !== 'running') throw new Error(`no attempt of ${id} runs`);
  return record;
}

/** The part of an attempt's prompt that is not the task itself. */
export function buildPromptContext(state: TaskState, id: string): PromptContext {
  const { guidance, failures, climb, hint, diagnosis } = subtaskOf(state, id);
  const diagnosisPart = diagnosis === undefined || diagnosis === null ? {} : { diagnosis };
  return {
    guidance,
    steering: steeringFor(state, id).map(({ text }) => text),
    retry:
      failures.length === 0
        ? null
        : { maxAttempts: climb.maxAttempts, failures: failures.map(toPastFailure), hint, ...diagnosisPart },
    ...pickChangedRoom(state),
  };
}

/** Only what the config changed: the activity knows the rest. */
function pickChangedRoom({ plan: { settings } }: TaskState): Pick<PromptContext, 'room'> {
  const { retryContext, dependencyResults, dependencyResult } = settings?.limits ?? {};
  const room = {
    ...(retryContext === undefined ? {} : { retryContext }),
    ...(dependencyResults === undefined ? {} : { dependencyResults }),
    ...(dependencyResult === undefined ? {} : { dependencyResult }),
  };
  return Object.keys(room).length === 0 ? {} : { room };
}

const toPastFailure = ({ attempt, endedAt, failure, files, denied }: PastFailure): PastFailure => ({
  ...{ attempt, endedAt, failure, files },
  ...(denied === undefined ? {} : { denied }),
});

/**
 * The conversation of an agent program that a retry goes on in: that of the last failure, at the same tier and thinking. A stronger
 * model begins afresh, and so does an attempt whose conversation had grown too long, or whose files were brought back.
 */
export function findResumableSession(
  state: TaskState,
  id: string,
  { tier, thinking, restore }: Step,
): string | undefined {
  const last = subtaskOf(state, id).failures.at(-1);
  if (last?.session === undefined || last.tier !== tier || last.thinking !== thinking || restore === true)
    return undefined;
  return last.failure.type === 'context-overflow' ? undefined : last.session.id;
}

/** Results of dependencies. A skipped one is shown as missing, never left out silently. */
export function listInputs(state: TaskState, id: string): InputRef[] {
  return rowOf(state, id).dependsOn.map((dependency) => {
    const subtask = subtaskOf(state, dependency);
    const passed = passedOf(subtask);
    return passed === undefined
      ? { id: dependency, status: 'skipped', notes: clip(reasonOf(subtask) ?? '', limits.summary), result: null }
      : { id: dependency, status: passed.result.status, notes: '', result: passed.result.ref };
  });
}

/** Takes what an execution came to. What is returned goes on to its verification; null: the attempt has ended or stands still. */
export function takeOutcome(task: RunningTask, id: string, outcome: Outcome): Finished | null {
  const lacks = findGrantShortage(task.state, id, outcome);
  countUse(task, id, outcome);
  if (dropStale(task, id, outcome.kind === 'failed' ? outcome.files : [])) return null;
  switch (outcome.kind) {
    case 'finished':
      return outcome;
    case 'suspended':
      suspendAttempt(task, id, outcome, lacks);
      return null;
    case 'failed':
      if (outcome.failure.type === 'cancelled' && task.state.control.cancelling !== null) {
        const { attempt } = runningRecord(task.state, id);
        task.record({ type: 'attempt.cancelled', subtask: id, attempt, files: outcome.files ?? [] });
        return null;
      }
      endFailed(
        task,
        id,
        { failure: outcome.failure, files: outcome.files ?? [], ...pickRestored(outcome) },
        { phase: 'execute', checkpoint: null },
        false,
      );
      return null;
  }
}

/** A call that failed for good: its retry policy is spent, or there was none. */
export interface Lost {
  failure: Failure;
  lastTry?: LastTry;
}

export function takeLostExecution(task: RunningTask, id: string, lost: Lost): void {
  if (lost.lastTry !== undefined) countUse(task, id, lost.lastTry);
  if (dropStale(task, id)) return;
  endFailed(task, id, { failure: lost.failure }, { phase: 'execute', checkpoint: null }, true);
}

/** The execution stands: when the verifier could not do its work, only the verification is repeated. */
export function takeLostVerification(task: RunningTask, id: string, finished: Finished, lost: Lost): void {
  if (dropStale(task, id)) return;
  endFailed(task, id, { failure: lost.failure }, { phase: 'verify', finished }, true);
}

/** The last word on a result: of its checks, and of its judges where it has any. */
export function takeVerdict(
  task: RunningTask,
  id: string,
  finished: Finished,
  verdict: Verdict,
  judgement?: Judgement,
): void {
  if (dropStale(task, id, verdict.files)) return;
  const { attempt } = runningRecord(task.state, id);
  const judgementPart = judgement === undefined ? {} : { judgement };
  const { outcome } = verdict;
  task.record({
    type: 'verdict',
    subtask: id,
    attempt,
    outcome,
    issues: formatIssues(verdict.issues),
    ...judgementPart,
  });
  const seen: Partial<AttemptRecord> = {
    files: verdict.files,
    verify: verdict.commands.map(formatCommand),
    verdict: outcome,
    ...judgementPart,
    ...pickRestored(finished),
  };
  const { failure, result } = verdict;
  if (failure !== null) return endFailed(task, id, { ...seen, failure }, { phase: 'verify', finished }, false);
  // A verdict without a result is no pass, whatever it is called.
  if (result === null) throw new Error(`the verdict on ${id} has neither a failure nor a result`);
  const passed: AttemptRecord = {
    ...runningRecord(task.state, id),
    ...seen,
    endedAt: new Date(task.now).toISOString(),
    outcome: 'passed',
    notes: clip(finished.contract?.notes ?? '', limits.summary),
  };
  const status = outcome === 'partial-verified' || finished.contract?.status === 'partial' ? 'partial' : 'success';
  afterAttemptPassed(task, passed, verdict, { status, ref: result });
}

const pickRestored = ({ restored }: Pick<Finished, 'restored'>): Pick<AttemptRecord, 'restored'> =>
  restored === undefined ? {} : { restored };

export function countUse(
  task: RunningTask,
  id: string,
  outcomeFacts: Pick<LastTry, 'used' | 'reruns' | 'output'> &
    Partial<Pick<Outcome, 'models' | 'transcript' | 'refusals' | 'gated' | 'session' | 'denied'>> &
    Partial<Pick<Outcome, 'failedCalls' | 'toolFailures' | 'repositories'>>,
): void {
  const { used, reruns, output = null, models, transcript, refusals = [], gated, session, denied } = outcomeFacts;
  const { failedCalls, toolFailures, repositories = [] } = outcomeFacts;
  const record = runningRecord(task.state, id);
  task.record({
    type: 'attempt.used',
    subtask: id,
    used,
    reruns,
    output,
    ...(models === undefined ? {} : { models: models.slice(0, limits.recordedModels) }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(gated === undefined ? {} : { gated }),
    ...(session === undefined ? {} : { session }),
    ...(denied === undefined ? {} : { denied: denied.slice(0, limits.recordedDenials) }),
    ...(failedCalls === undefined ? {} : { failedCalls }),
    ...(toolFailures === undefined ? {} : { toolFailures: toolFailures.slice(0, limits.recordedToolFailures) }),
  });
  for (const { tool, why } of refusals.slice(0, limits.toldRefusals - (record.refusals ?? 0)))
    task.record({ type: 'tool.refused', subtask: id, attempt: record.attempt, tool, why });
  for (const { path, state, removed } of repositories)
    task.record({ type: 'repository.changed', subtask: id, attempt: record.attempt, path, state, removed });
  if (reruns > record.reruns) task.record({ type: 'attempt.rerun', subtask: id, attempt: record.attempt, reruns });
}

export function endFailed(
  task: RunningTask,
  id: string,
  seen: Partial<AttemptRecord> & { failure: Failure },
  resumeFrom: ResumePoint,
  isSpent: boolean,
): void {
  // The next attempt hears the plan's own words about this type of failure.
  const failure = addEmphasis(seen.failure, rowOf(task.state, id).recovery);
  const record: AttemptRecord = {
    ...runningRecord(task.state, id),
    ...seen,
    endedAt: new Date(task.now).toISOString(),
    outcome: 'failed',
    failure,
  };
  afterAttemptFailed(task, record, failure, { resumeFrom, isSpent });
}

/** Leaves out the output, which is in the store. */
const formatCommand = ({
  command,
  exit,
  summary,
  sandboxed,
}: VerifyCommandResult): AttemptRecord['verify'][number] => ({
  ...{ command, exit, summary },
  ...(sandboxed === true ? { sandboxed } : {}),
});
