import { ActivityFailure, proxyActivities, TimeoutFailure } from '@temporalio/workflow';
import type { DependencyResult, Execution, Verdict } from '../domain/model/attempt.ts';
import { classify } from '../domain/failure/classify.ts';
import { hasFailed } from '../domain/failure/describe-exit.ts';
import type { Failure } from '../domain/model/failure.ts';
import type { AttemptRecord } from '../domain/model/record.ts';
import { limits } from '../domain/limits.ts';
import { buildPrompt } from '../domain/prompt/prompt.ts';
import { definitionOf, subtaskOf, type TaskState } from '../domain/task/state.ts';
import { ladderOf } from '../domain/task/status.ts';
import { advise, timeLimitAfter } from '../domain/recovery/strategies.ts';
import type { Task } from '../domain/model/task.ts';
import type { Subtask } from '../domain/model/subtask.ts';
import { clip, clipStart, lastLines } from '../domain/text/text.ts';
import type { HostActivities } from './activities.ts';
import { executeOptions, foreignOptions, verifyOptions, type Call } from './activity-options.ts';
import { explain, type LastTry } from './explain-failure.ts';
import { outOfTime, readContract } from './read-contract.ts';
import { afterAttemptFailed, afterAttemptPassed } from '../domain/course/recover.ts';
import type { TaskRun } from './task-run.ts';

/** What came out of an attempt: a verdict that lets it pass, or a failure. */
type Outcome =
  | { passed: true; execution: Execution; verdict: Verdict }
  | { passed: false; failure: Failure; execution?: Execution; verdict?: Verdict; lastTry?: LastTry };

/** One attempt: execute, verify, then what the evidence says. The state alone tells where a subtask is, so any run can do it. */
export async function runAttempt(run: TaskRun, id: string): Promise<void> {
  const { state } = run;
  const task = taskOf(state);
  const definition = definitionOf(state, id);
  const record = beginAttempt(run, definition);
  const step = stepOf(state, id);
  const timeout = timeoutOf(state, definition);
  const call: Call = { subtask: id, attempt: record.attempt, step, timeout, ...isolationOf(definition) };
  const outcome = advised(await executeAndVerify(run, task, definition, call), definition);
  const finished = finishRecord(record, outcome);
  if (outcome.execution !== undefined && outcome.execution.reruns > 0) {
    run.record({
      type: 'attempt.rerun',
      subtask: id,
      attempt: record.attempt,
      reason: 'crash',
      reruns: outcome.execution.reruns,
    });
  }
  if (outcome.passed)
    afterAttemptPassed(
      run,
      definition,
      finished,
      outcome.verdict,
      resultOf(definition, outcome.execution, outcome.verdict),
    );
  else afterAttemptFailed(run, definition, finished, outcome.failure, isReturned(outcome));
}

/** No retry policy has waited for this failure to pass: it came as a result, not as an error that was spent. */
const isReturned = ({ execution, lastTry }: Outcome & { passed: false }): boolean =>
  execution !== undefined && lastTry === undefined;

/** What the plan says about this type of failure is what the next attempt hears. */
function advised(outcome: Outcome, { recovery }: Subtask): Outcome {
  return outcome.passed ? outcome : { ...outcome, failure: advise(outcome.failure, recovery) };
}

function taskOf(state: TaskState): Task {
  if (state.task === null) throw new Error('there is no plan yet');
  return state.task;
}

function stepOf(state: TaskState, id: string): Call['step'] {
  const step = ladderOf(state, id).steps[subtaskOf(state, id).climb.step];
  if (step === undefined) throw new Error(`${id} stands on no rung`);
  return step;
}

/** A new attempt, or the one that a wait for the environment interrupted: same number, same key. */
function beginAttempt(run: TaskRun, definition: Subtask): AttemptRecord {
  const { state } = run;
  const subtask = subtaskOf(state, definition.id);
  const interrupted = subtask.resumes ? state.records[state.lastRecord[definition.id] ?? -1] : undefined;
  if (interrupted !== undefined) {
    run.record({ type: 'attempt.resumed', subtask: definition.id });
    return interrupted;
  }
  if (subtask.climb.attempts === 0) run.record({ type: 'subtask.started', subtask: definition.id });
  const step = stepOf(state, definition.id);
  const record: AttemptRecord = {
    subtask: definition.id,
    attempt: subtask.climb.attempts + 1,
    rung: step.rung,
    tier: step.tier,
    thinking: step.thinking,
    strategy: subtask.strategy,
    startedAt: new Date().toISOString(),
    endedAt: null,
    outcome: 'running',
    type: null,
    category: null,
    signature: null,
    summary: '',
    details: '',
    rootCause: '',
    suggestedFix: '',
    filesAffected: [],
    verify: [],
    verdict: null,
    reruns: 0,
    waits: [],
    tokens: 0,
    costUsd: 0,
    outputRef: null,
  };
  run.record({ type: 'attempt.started', subtask: definition.id, record });
  return record;
}

/** The rung's or the executor's limit, longer after each timeout, bounded. */
function timeoutOf(state: TaskState, definition: Subtask): number {
  const first = stepOf(state, definition.id).timeout ?? definition.executor.timeout;
  return timeLimitAfter(failuresOf(state, definition.id), first, definition.recovery);
}

function failuresOf(state: TaskState, id: string): AttemptRecord[] {
  return state.records.filter((record) => record.subtask === id && record.outcome === 'failed');
}

async function executeAndVerify(run: TaskRun, task: Task, definition: Subtask, call: Call): Promise<Outcome> {
  let execution: Execution;
  try {
    execution = await execute(run.state, task, definition, call);
  } catch (error) {
    return { passed: false, ...explain(error) };
  }
  if (hasFailed(execution)) {
    return { passed: false, failure: classify({ execution, timeout: call.timeout }), execution };
  }
  let verdict: Verdict;
  try {
    verdict = await verify(task, definition, call, execution);
  } catch (error) {
    return { passed: false, ...explain(error), execution };
  }
  const issues = verdict.issues.map(({ message }) => message).join(' ');
  run.record({
    type: 'verdict',
    subtask: definition.id,
    attempt: call.attempt,
    outcome: verdict.outcome,
    issues: clip(issues, 300),
  });
  if (verdict.outcome !== 'fail') return { passed: true, execution, verdict };
  return { passed: false, failure: classify({ execution, verdict, timeout: call.timeout }), execution, verdict };
}

function execute(state: TaskState, task: Task, definition: Subtask, call: Call): Promise<Execution> {
  const inputs = dependencyResults(state, definition);
  const common = {
    taskId: state.id,
    subtaskId: definition.id,
    attempt: call.attempt,
    tier: call.step.tier,
    thinking: call.step.thinking,
    idempotencyKey: `${state.id}/${definition.id}/${call.attempt}`,
    prompt: promptOf(state, task, definition, call.attempt, inputs),
    inputs,
    workspace: task.workspace,
  };
  if (definition.executor.kind === 'activity') return executeForeign(definition.executor, call, common);
  const { executeSubtask } = proxyActivities<HostActivities>(executeOptions(task, call));
  return executeSubtask({
    ...common,
    executor: definition.executor,
    deliverables: definition.deliverables,
    timeout: call.timeout,
    ...isolationOf(definition),
    ...(call.step.restore === true && call.attempt > 1 ? { restore: true } : {}),
  });
}

const isolationOf = ({ isolation }: Subtask): Pick<Subtask, 'isolation'> =>
  isolation === undefined ? {} : { isolation };

async function executeForeign(
  executor: Subtask['executor'] & { kind: 'activity' },
  call: Call,
  input: object,
): Promise<Execution> {
  const started = Date.now();
  const activities = proxyActivities<Record<string, (input: object) => Promise<unknown>>>(
    foreignOptions(executor.taskQueue, call),
  );
  const activity = activities[executor.name];
  if (activity === undefined) throw new Error(`no activity ${executor.name}`);
  try {
    return readContract(executor.name, await activity(input), Date.now() - started);
  } catch (error) {
    if (isTimeLimit(error)) return outOfTime(Date.now() - started);
    throw error;
  }
}

const isTimeLimit = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof TimeoutFailure &&
  error.cause.timeoutType === 'START_TO_CLOSE';

function verify(task: Task, definition: Subtask, call: Call, execution: Execution): Promise<Verdict> {
  const { deliverables, verify: commands, requiredSections, rules, diff, contractCheck, allowPartial } = definition;
  const { verifySubtask } = proxyActivities<HostActivities>(verifyOptions(task, call, commands.length));
  return verifySubtask({
    taskId: task.id,
    subtaskId: definition.id,
    workspace: task.workspace,
    attempt: call.attempt,
    checks: { deliverables, verify: commands, requiredSections, rules, diff, contractCheck, allowPartial },
    ...(task.verifyTimeout === undefined ? {} : { commandTimeout: task.verifyTimeout }),
    ...(execution.stdout === undefined ? {} : { stdout: execution.stdout }),
    stdoutBytes: execution.stdoutBytes,
    ...(execution.contract === undefined ? {} : { contract: execution.contract }),
    before: execution.before,
    ...isolationOf(definition),
  });
}

function promptOf(
  state: TaskState,
  task: Task,
  definition: Subtask,
  attempt: number,
  dependencies: DependencyResult[],
): string {
  const subtask = subtaskOf(state, definition.id);
  const failures = attempt === 1 ? [] : failuresOf(state, definition.id);
  return buildPrompt({
    goal: task.goal,
    subtask: definition,
    guidance: subtask.guidance,
    steering: state.steering
      .filter((text) => text.subtask === null || text.subtask === definition.id)
      .map(({ text }) => text),
    retry:
      failures.length === 0
        ? null
        : {
            attempt,
            maxAttempts: subtask.climb.maxAttempts,
            failures,
            hint: subtask.hint,
            intent: definition.description,
          },
    dependencies,
  });
}

/** A skipped dependency is told as missing, never left out silently. */
function dependencyResults(state: TaskState, definition: Subtask): DependencyResult[] {
  return definition.dependsOn.map((id) => {
    const { result, reason } = subtaskOf(state, id);
    return result ?? { id, status: 'skipped', notes: reason ?? '', deliverables: [], preview: '' };
  });
}

function resultOf(definition: Subtask, execution: Execution, verdict: Verdict): DependencyResult {
  return {
    id: definition.id,
    status: execution.contract?.status === 'partial' ? 'partial' : 'success',
    notes: clip(execution.contract?.notes ?? '', limits.preview),
    deliverables: [...new Set([...definition.deliverables, ...(execution.contract?.deliverablesTouched ?? [])])].slice(
      0,
      50,
    ),
    preview: clipStart(lastLines(execution.stdoutTail, 10), limits.preview),
    ...(execution.output === undefined ? {} : { output: execution.output }),
    ...(verdict.after === undefined || verdict.after.length === 0 ? {} : { files: verdict.after }),
  };
}

function finishRecord(record: AttemptRecord, outcome: Outcome): AttemptRecord {
  const { execution, verdict } = outcome;
  const failure = outcome.passed ? null : outcome.failure;
  const lastTry = outcome.passed ? undefined : outcome.lastTry;
  return {
    ...record,
    endedAt: new Date().toISOString(),
    outcome: outcome.passed ? 'passed' : 'failed',
    type: failure?.type ?? null,
    category: failure?.category ?? null,
    signature: failure?.signature ?? null,
    summary: failure?.summary ?? clip(execution?.contract?.notes ?? '', limits.summary),
    details: failure?.details ?? '',
    rootCause: failure?.rootCause ?? '',
    suggestedFix: failure?.suggestedFix ?? '',
    filesAffected: verdict?.files ?? [],
    verify: (verdict?.commands ?? []).map(({ command, exit, summary }) => ({ command, exit, summary })),
    verdict: verdict?.outcome ?? null,
    reruns: record.reruns + (execution?.reruns ?? lastTry?.reruns ?? 0),
    tokens: record.tokens + (execution?.contract?.tokens ?? 0),
    costUsd: record.costUsd + (execution?.contract?.costUsd ?? 0),
    outputRef: execution?.output?.sha256 ?? lastTry?.outputRef ?? record.outputRef,
    ...(execution?.restored === undefined ? {} : { restored: execution.restored }),
  };
}
