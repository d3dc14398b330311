import type { AnswerMessage } from '../../workflows/task/messages.ts';
import type { MessageOptions } from '../sdk/send-message.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

export interface AnswerRequest extends AnswerMessage {
  /** The person who answers. */
  by: string;
}

export interface SentAnswer {
  taskId: string;
  decisionId: string;
  option: string;
  /** The task took the answer; false for a signal, which nothing confirms. */
  isConfirmed: boolean;
}

/**
 * Sends one answer, once. As a signal it waits for a worker and is not confirmed.
 *
 * @throws HeddleError `DECISION_ALREADY_ANSWERED`, `DECISION_NOT_FOUND`, `ANSWER_INVALID`, `TASK_ENDED`, `NO_WORKER`.
 */
export async function answerDecision(
  handle: Pick<TaskHandle, 'id' | 'decide'>,
  answer: AnswerRequest,
  { signal = false, ...options }: MessageOptions = {},
): Promise<SentAnswer> {
  await handle.decide(answer, { signal, ...options });
  return { taskId: handle.id, decisionId: answer.decisionId, option: answer.option, isConfirmed: !signal };
}
