import { ActivityCancellationType, type ActivityOptions, type RetryPolicy } from '@temporalio/workflow';
import type { Attempt } from '../../domain/attempt/begin-attempt.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Step } from '../../domain/types/ladder.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { buildActivityId, type ActivityVerb } from '../../domain/names/names.ts';

/** Room above our own time limit: we end the program and report it before Temporal would take the worker for hung. */
const reportingTime = 60_000;

/** Trouble of the server or the disk passes within minutes, or is said: nothing of ours is repeated for ever. */
const patience: RetryPolicy = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
  maximumAttempts: limits.patientTries,
};

/** A rung's policy absorbs crashes, deploys and transient trouble; quality is never its business. */
export function retryPolicyFor(step: Pick<Step, 'retry'>): RetryPolicy {
  const { initialInterval, backoff, maximumInterval, maximumAttempts } = step.retry;
  return { initialInterval, backoffCoefficient: backoff, maximumInterval, maximumAttempts };
}

/** The facts of an attempt that decide the options of its activities. */
export type AttemptTiming = Pick<Attempt, 'subtask' | 'attempt' | 'step' | 'timeout' | 'isolation'>;

export function executeOptions(settings: TaskSettings, call: AttemptTiming): ActivityOptions {
  const { step } = call;
  return {
    ...workspaceOptions(settings, call, 'execute'),
    summary: `${call.subtask} · attempt ${call.attempt} · tier ${step.tier}${step.thinking ? ' · thinking' : ''}`,
    startToCloseTimeout: call.timeout + reportingTime + enteringTime(call),
  };
}

/** Time for the steps before the program: files that are brought back, a copy that is made. */
function enteringTime({ step, isolation }: AttemptTiming): number {
  return ((step.restore === true ? 1 : 0) + (isolation === undefined ? 0 : 1)) * limits.worktreeTimeout;
}

export function verifyOptions(settings: TaskSettings, call: AttemptTiming, commands: number): ActivityOptions {
  return {
    ...workspaceOptions(settings, call, 'verify'),
    summary: `${call.subtask} · check attempt ${call.attempt}`,
    startToCloseTimeout: commands * (settings.verifyTimeout ?? limits.verifyCommandTimeout) + 5 * reportingTime,
  };
}

/** The verify commands of work that is taken over, before it counts as completed. */
export function recheckOptions(settings: TaskSettings, subtask: string, commands: number): ActivityOptions {
  return {
    taskQueue: settings.hostQueue,
    summary: `${subtask} · check what is reused`,
    startToCloseTimeout: commands * (settings.verifyTimeout ?? limits.verifyCommandTimeout) + 5 * reportingTime,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: retryPolicyFor({ retry: limits.transientRetry }),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** Time for all requests and waits of one run, and for looking into what is claimed. */
export function judgeOptions(settings: TaskSettings, call: AttemptTiming, run: number): ActivityOptions {
  return {
    ...workspaceOptions(settings, call, 'judge'),
    summary: `${call.subtask} · judge attempt ${call.attempt}${run > 1 ? ` · again (${run})` : ''}`,
    startToCloseTimeout: limits.judge.timeout + reportingTime,
  };
}

export function diagnoseOptions(settings: TaskSettings, call: AttemptTiming): ActivityOptions {
  return {
    ...workspaceOptions(settings, call, 'diagnose'),
    summary: `${call.subtask} · diagnose before attempt ${call.attempt}`,
    startToCloseTimeout: limits.diagnosis.timeout + reportingTime,
  };
}

/** Nobody waits for it: not for a worker that is away, nor for its end when the task ends first. */
export function rewordingOptions({ hostQueue }: TaskSettings, subtask: string, attempt: number): ActivityOptions {
  return {
    taskQueue: hostQueue,
    activityId: buildActivityId({ subtask, attempt, verb: 'phrase' }),
    summary: `${subtask} · reword the question after attempt ${attempt}`,
    startToCloseTimeout: limits.phrase.timeout + reportingTime,
    scheduleToCloseTimeout: limits.phrase.total,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: { initialInterval: '1s', maximumAttempts: limits.phrase.requests },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  };
}

/** Nobody waits for it, but the end of the task for a moment. */
export function extractOptions({ hostQueue }: TaskSettings, subtask: string, attempt: number): ActivityOptions {
  return {
    taskQueue: hostQueue,
    activityId: buildActivityId({ subtask, attempt, verb: 'learn' }),
    summary: `${subtask} · learn from ${attempt === 1 ? 'its attempt' : `its ${attempt} attempts`}`,
    startToCloseTimeout: limits.lessons.timeout + reportingTime,
    scheduleToCloseTimeout: limits.lessons.total,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: { initialInterval: '1s', maximumAttempts: limits.lessons.tries },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  };
}

export function mergeOptions(settings: TaskSettings, call: AttemptTiming): ActivityOptions {
  return {
    ...workspaceOptions(settings, call, 'merge'),
    summary: `${call.subtask} · merge attempt ${call.attempt}`,
    startToCloseTimeout: limits.worktreeTimeout + reportingTime,
  };
}

export function revertOptions(settings: TaskSettings, call: AttemptTiming): ActivityOptions {
  return {
    ...workspaceOptions(settings, call, 'revert'),
    summary: `${call.subtask} · undo attempt ${call.attempt}, which found nothing`,
    startToCloseTimeout: limits.worktreeTimeout + reportingTime,
  };
}

function workspaceOptions(settings: TaskSettings, call: AttemptTiming, verb: ActivityVerb): ActivityOptions {
  return {
    taskQueue: settings.hostQueue,
    activityId: buildActivityId({ subtask: call.subtask, attempt: call.attempt, verb }),
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: retryPolicyFor(call.step),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** An activity of the user's own: in any language, on any queue, so nothing is known of its heartbeats. */
export function foreignOptions(taskQueue: string, call: AttemptTiming): ActivityOptions {
  return {
    taskQueue,
    activityId: buildActivityId({ subtask: call.subtask, attempt: call.attempt, verb: 'execute' }),
    summary: `${call.subtask} · attempt ${call.attempt} · tier ${call.step.tier}`,
    startToCloseTimeout: call.timeout,
    // The time limit is the attempt's: what did not fit into it does not fit the next time either, and the ladder raises it.
    retry: { ...retryPolicyFor(call.step), nonRetryableErrorTypes: ['TemporalTimeout:StartToClose'] },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** Trouble while preparing is the server's or the disk's: it passes. A bad plan is refused at once by its code. */
export function prepareOptions(hostQueue: string | undefined): ActivityOptions {
  return {
    ...(hostQueue === undefined ? {} : { taskQueue: hostQueue }),
    summary: 'complete and check the plan',
    // Servers of tools are started for their lists, each within two minutes.
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: patience,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** A model that plans: its tries are counted inside, the policy is for crashes and for providers that do not answer. */
export function planOptions({ hostQueue }: TaskSettings, round: number, what = 'plan the goal'): ActivityOptions {
  return {
    taskQueue: hostQueue,
    summary: `${what}${round > 1 ? ` again (${round})` : ''}`,
    startToCloseTimeout: limits.planner.timeout + reportingTime,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: retryPolicyFor({ retry: limits.transientRetry }),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

export function storeOptions(hostQueue: string, summary: string, maximumAttempts: number): ActivityOptions {
  return {
    taskQueue: hostQueue,
    summary,
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: { ...patience, maximumAttempts },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** The ledgers of evidence: a host that is away does not keep the task from its end. */
export function ledgerOptions({ hostQueue }: TaskSettings): ActivityOptions {
  return {
    taskQueue: hostQueue,
    summary: 'write the ledgers of evidence',
    startToCloseTimeout: 2 * reportingTime,
    scheduleToCloseTimeout: limits.ledgerTimeout,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** Memory helps later tasks; it never keeps this one from its end. */
export const rememberOptions: ActivityOptions = {
  summary: 'share lessons with the project',
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumAttempts: 4 },
};

export const cancelOptions: ActivityOptions = {
  summary: 'a person stopped the task',
  startToCloseTimeout: '10 seconds',
  retry: patience,
};
