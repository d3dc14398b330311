import type { Client, WorkflowHandle } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { updateWorker } from '../temporal/ask-worker.ts';
import { ended, explainError, unanswered } from '../temporal/explain-error.ts';
import { endStateOf } from './server-end.ts';

/** How long a message waits for a worker before it gives up and says so. */
const messageDeadline = 10_000;

/**
 * How a message is sent to a task.
 *
 * @example
 * ```ts
 * await task.pause({ reason: 'release freeze' }, { signal: true });
 * ```
 */
export interface MessageOptions {
  /** The same id again gets the first answer. A new one each time by default. */
  updateId?: string;
  /** Sends the signal of the same name instead: no answer, but it waits for a worker in the history. */
  signal?: boolean;
}

/** The task that a message goes to. */
export interface MessageTarget {
  client: Client;
  handle: WorkflowHandle;
  taskId: string;
  taskQueue: string;
}

/** Sends a message as an update and waits for its answer; as a signal it has none. */
export async function sendMessage<Result, Payload>(
  target: MessageTarget,
  update: UpdateDefinition<Result, [Payload]>,
  { payload, options }: { payload: Payload; options: MessageOptions },
): Promise<Result | undefined> {
  const { client, handle } = target;
  const args: [Payload] = [payload];
  try {
    if (options.signal === true) {
      // The signal has the update's name and payload.
      await handle.signal<[Payload]>(update.name, ...args);
      return undefined;
    }
    const updateId = options.updateId ?? randomUUID();
    return await updateWorker(client, messageDeadline, () => handle.executeUpdate(update, { args, updateId }));
  } catch (error) {
    throw await explainMessageError(target, error);
  }
}

/** Temporal answers the same for a task that never was, for one that has ended, and for a message that a restarted server lost. */
export async function explainMessageError(target: MessageTarget, error: unknown): Promise<unknown> {
  if (!(error instanceof WorkflowNotFoundError)) return explainError(error, target);
  try {
    const { status } = await target.handle.describe();
    return endStateOf(status.name) === undefined ? unanswered(target) : ended(target.taskId);
  } catch (unknown) {
    return explainError(unknown instanceof WorkflowNotFoundError ? error : unknown, target);
  }
}
