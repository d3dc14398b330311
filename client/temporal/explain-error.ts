import {
  isGrpcServiceError,
  QueryRejectedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, NamespaceNotFoundError, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { ErrorCode } from '../../domain/errors/error-codes.ts';
import { isErrorCode } from '../../domain/errors/error-codes.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { readProblem } from '../../domain/errors/read-problem.ts';
import { loadingMessage } from '../../workflows/task/messages.ts';

/** gRPC's numbers. The server refuses a question with `failedPrecondition` when it has not seen a worker for a while. */
const grpc = { cancelled: 1, deadlineExceeded: 4, failedPrecondition: 9, unavailable: 14 } as const;

/** Turns what the Temporal client throws into what a person should read. Unknown errors stay as they are. */
export function explainError(error: unknown, about: { taskId?: string; taskQueue?: string } = {}): unknown {
  const task = about.taskId ?? 'the task';
  if (error instanceof HeddleError) return error;
  if (error instanceof WorkflowExecutionAlreadyStartedError) {
    return new HeddleError({
      code: 'TASK_EXISTS',
      message: `There is already a task ${task}`,
      hint: 'Choose another --id, or omit it.',
    });
  }
  if (isUnprocessed(error)) return noWorker(about.taskQueue, 'A worker ignored the message; nothing was changed');
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure)
    return fromFailure(error.cause, { task, unknown: 'INTERNAL' });
  if (error instanceof WorkflowNotFoundError) return notFound(task);
  const answer = findGrpcError(error);
  if (answer?.code === grpc.unavailable) return unreachable(answer.details);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    // The server keeps an update that nobody waits for any more.
    return noWorker(about.taskQueue, 'No worker is responding; the message may still be taken when one starts');
  }
  if (isOutOfTime(error) || error instanceof QueryRejectedError || answer?.code === grpc.failedPrecondition) {
    return noWorker(about.taskQueue);
  }
  if (isTakingUp(error)) return noWorker(about.taskQueue, 'The task is still being read from the store of its host');
  if (error instanceof NamespaceNotFoundError) return refused(`there is no namespace ${error.namespace}`);
  if (answer !== undefined) return refused(answer.details);
  if (error instanceof Error && /failed to connect|connection refused|deadline exceeded/i.test(error.message))
    return unreachable(error.message);
  return error;
}

/** The server's word for an update that it gave to a worker whose answer did not mention it: that worker was killed meanwhile, or knows no updates. */
export const isUnprocessed = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === 'UnprocessedUpdate';

/** A new run of the task reads its state and can say nothing yet. */
export const isTakingUp = (error: unknown): boolean => error instanceof Error && error.message.includes(loadingMessage);

/** A deadline has passed. The server knows it too, and if it is the first to act on it, the call looks cancelled from here. */
export function isOutOfTime(error: unknown): boolean {
  const code = findGrpcError(error)?.code;
  return code === grpc.deadlineExceeded || code === grpc.cancelled;
}

/** Finds the server's answer in an error: the client wraps it in errors of its own. */
export function findGrpcError(error: unknown): { code: number; details: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at;
  return undefined;
}

/**
 * A refused message, or the end of a task, carries the whole problem; a task that ended meanwhile has its own word. A type that is no
 * code of ours, such as one of a newer worker, is told in the words of the failure, under `unknown`.
 */
export function fromFailure(
  failure: ApplicationFailure,
  { task, unknown }: { task: string; unknown: ErrorCode },
): HeddleError {
  if (failure.type === 'AcceptedUpdateCompletedWorkflow') return ended(task);
  const { message = failure.message, where, hint, problems, seen } = readProblem(failure.details?.[0]);
  const { type } = failure;
  const isOurs = isErrorCode(type);
  return new HeddleError(
    {
      code: isOurs ? type : unknown,
      message: isOurs || type === undefined || type === null ? message : `${message} (${type})`,
      ...(where === undefined ? {} : { where }),
      ...(hint === undefined ? {} : { hint }),
      ...(seen === undefined ? {} : { seen }),
    },
    problems,
  );
}

export function ended(task: string): HeddleError {
  return new HeddleError({
    code: 'TASK_ENDED',
    message: `The task ${task} has ended`,
    hint: `\`heddle status ${task}\` shows how.`,
  });
}

/** The task is open, and the server knows nothing of the message any more. */
export function unanswered({ taskId, taskQueue }: { taskId: string; taskQueue: string }): HeddleError {
  return new HeddleError({
    code: 'NO_WORKER',
    message: 'There was no response to the message; it may or may not have been taken',
    where: `task queue ${taskQueue}`,
    hint: `\`heddle status ${taskId}\` shows what is open; send it again if it is missing.`,
  });
}

export function cancelled(task: string): HeddleError {
  return new HeddleError({
    code: 'TASK_CANCELLED',
    message: `The task ${task} was cancelled`,
    hint: `Finished work is kept; \`heddle retry ${task}\` continues from there.`,
  });
}

function notFound(task: string): HeddleError {
  return new HeddleError({
    code: 'TASK_NOT_FOUND',
    message: `There is no task ${task}`,
    hint: '`heddle list` shows all tasks.',
  });
}

function noWorker(taskQueue: string | undefined, message = 'No worker is responding'): HeddleError {
  return new HeddleError({
    code: 'NO_WORKER',
    message,
    ...(taskQueue === undefined ? {} : { where: `task queue ${taskQueue}` }),
    hint: 'Start one with `heddle worker`, or send the message with --signal: it is stored, and delivered when a worker starts.',
  });
}

export const isNoWorker = (error: unknown): error is HeddleError =>
  error instanceof HeddleError && error.code === 'NO_WORKER';

function refused(detail: string): HeddleError {
  return new HeddleError({
    code: 'TEMPORAL_REFUSED',
    message: `The Temporal server refuses: ${detail}`,
    hint: "Check Temporal's address, namespace and credentials (TEMPORAL_* variables or the profile file).",
  });
}

export function unreachable(detail: string): HeddleError {
  return new HeddleError({
    code: 'TEMPORAL_UNREACHABLE',
    message: `The Temporal server cannot be reached: ${detail}`,
    hint: 'Check TEMPORAL_ADDRESS and that the server is running, or unset it to use the local service.',
  });
}
