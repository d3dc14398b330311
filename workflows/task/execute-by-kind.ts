import {
  ActivityCancellationType,
  ActivityFailure,
  type ActivityOptions,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import { readDrafts } from '../../domain/evidence/read-draft.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { ExecuteInput } from '../../domain/types/attempt.ts';
import type { EvidenceDraft } from '../../domain/types/basic/evidence.ts';
import type { ComposeActivities } from '../../domain/types/compose-call.ts';
import type { Outcome, ResourceUsage } from '../../domain/types/outcome.ts';
import type { ExecutorCall, HostKind, PlanRow } from '../../domain/types/plan.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { outcomeOfActivity, outOfTime } from '../shared/activity-outcome.ts';
import { executeOptions, foreignOptions, retryPolicyFor, type AttemptTiming } from './activity-options.ts';

/** Waits until a start of this many bytes fits into the completion of a workflow task: for what is larger than the input of the attempt. Null: it fits now. */
export type Admit = (bytes: number) => Promise<void> | null;

/** One execution of an attempt. */
export interface ExecutionRequest {
  admit: Admit;
  settings: TaskSettings;
  call: AttemptTiming;
  input: ExecuteInput;
  /** The plan asks the subtask for evidence. */
  owesEvidence?: boolean;
  /** By earlier executions of the attempt. A program's record of itself has it, an activity of the user's own does not. */
  usedBefore: ResourceUsage;
}

type ForeignKind = Exclude<ExecutorCall['kind'], HostKind>;
type CallOfKind<K extends ForeignKind> = { [Each in K]: Extract<ExecutorCall, { kind: Each }> & { kind: Each } }[K];

/** How each kind is called that the host of the workspace does not run: a missing kind does not compile. */
const callers: { [K in ForeignKind]: (executor: CallOfKind<K>, work: ExecutionRequest) => Promise<Outcome> } = {
  activity: callActivity,
};

const isForeign = (call: ExecutorCall): call is CallOfKind<ForeignKind> => Object.hasOwn(callers, call.kind);

/** Executes an attempt by whatever runs the subtask. An activity that failed for good is thrown, for `explain`. */
export function executeByKind({ call: executor, evidence }: PlanRow, work: ExecutionRequest): Promise<Outcome> {
  if (isForeign(executor)) return callForeign(executor, { ...work, owesEvidence: evidence !== undefined });
  const { settings, call, input } = work;
  return proxyActivities<HostActivities>(executeOptions(settings, call)).executeSubtask(input);
}

function callForeign<K extends ForeignKind>(executor: CallOfKind<K>, work: ExecutionRequest): Promise<Outcome> {
  return callers[executor.kind](executor, work);
}

/** An activity of the user's own: it is told everything, since it cannot read our store, and answers with the completion contract. */
async function callActivity(executor: CallOfKind<'activity'>, work: ExecutionRequest): Promise<Outcome> {
  const { settings, call, input, admit, usedBefore } = work;
  const { composeCall } = proxyActivities<ComposeActivities>(composeOptions(settings, call));
  const { taskId, subtaskId, plan, attempt, tier, thinking, context, inputs, idempotencyKey, workspace } = input;
  const {
    prompt,
    inputs: results,
    bytes,
    lessons,
  } = await composeCall({ taskId, subtaskId, plan, attempt, context: context, inputs, ...describeEvidence(work) });
  const rest = { taskId, subtaskId, attempt, tier, thinking, idempotencyKey, workspace };
  const shown = lessons === undefined ? {} : { lessons };
  // Long texts were measured where they were made.
  const admitted = admit(bytes + utf8Length(JSON.stringify({ ...rest, prompt: '', inputs: [] })));
  if (admitted !== null) await admitted;
  const activities = proxyActivities<Record<string, (input: object) => Promise<unknown>>>({
    ...foreignOptions(executor.taskQueue, call),
    ...(executor.heartbeat === undefined ? {} : { heartbeatTimeout: executor.heartbeat }),
  });
  const activity = activities[executor.name];
  if (activity === undefined) throw new Error(`no activity ${executor.name}`);
  const result = await activity({ ...rest, prompt, inputs: results }).catch((error: unknown) => {
    // A missed heartbeat is a worker that died, which says nothing about the attempt: `explain` tells it as the environment's.
    if (isTimeLimit(error)) return late;
    throw error;
  });
  const outcome =
    result === late
      ? outOfTime({ timeout: call.timeout, usedBefore })
      : outcomeOfActivity({ name: executor.name, timeout: call.timeout, usedBefore }, result);
  return { ...outcome, ...shown, ...(await keepEvidence(work, readDrafts(result))) };
}

/** Stands for the result of an activity that ran out of time. */
const late = Symbol('late');

/** Tasks without evidence have composed their calls without these keys since before there was any. */
const describeEvidence = ({
  owesEvidence,
  input: { evidence, inputs, workspace },
}: ExecutionRequest): Pick<Partial<ExecuteInput>, 'workspace' | 'evidence'> =>
  !owesEvidence && evidence === undefined && inputs.every((each) => each.evidence === undefined)
    ? {}
    : { workspace, ...(evidence === undefined ? {} : { evidence }) };

/** The records of an activity are confirmed on the host of the workspace, beside what the subtask and its dependencies know. */
async function keepEvidence(work: ExecutionRequest, records: EvidenceDraft[]): Promise<Pick<Outcome, 'evidence'>> {
  const { settings, call, input, admit } = work;
  const { taskId, subtaskId, plan, attempt, startedAt, workspace, inputs, evidence } = input;
  if (records.length === 0 && Object.keys(describeEvidence(work)).length === 0) return {};
  const kept = { taskId, subtaskId, plan, attempt, startedAt, workspace, inputs, records };
  const given = evidence === undefined ? kept : { ...kept, evidence };
  const admitted = admit(utf8Length(JSON.stringify(given)));
  if (admitted !== null) await admitted;
  const options = { ...composeOptions(settings, call), summary: `${call.subtask} · keep its evidence` };
  const page = await proxyActivities<ComposeActivities>(options).keepEvidence(given);
  return page === null ? {} : { evidence: page };
}

/** In milliseconds, as all that is asked for every attempt: the SDK parses a text each time. */
const composeTime = 60_000;

function composeOptions(settings: TaskSettings, call: AttemptTiming): ActivityOptions {
  return {
    taskQueue: settings.hostQueue,
    summary: `${call.subtask} · compose the prompt of attempt ${call.attempt}`,
    startToCloseTimeout: composeTime,
    heartbeatTimeout: limits.heartbeatTimeout,
    retry: retryPolicyFor(call.step),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

const isTimeLimit = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof TimeoutFailure &&
  error.cause.timeoutType === 'START_TO_CLOSE';
