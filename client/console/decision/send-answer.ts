import { post } from '../api/call.ts';
import { at } from '../api/call.ts';
import { ApiError } from '../api/api-error.ts';
import type { Card, GivenAnswer, OptionId } from '../api/wire.ts';
import { dropQuestion, keyOf } from '../live/board.ts';

export interface Answer {
  option: OptionId;
  instruction?: string;
  value?: unknown;
  scope?: 'signature';
  delivery?: 'signal';
}

export type SendResult =
  | { kind: 'taken' }
  /** It was sent without an answer: the task reads it when a worker is there. */
  | { kind: 'sent' }
  /** Somebody else was faster. */
  | { kind: 'late'; answer: GivenAnswer | undefined }
  | { kind: 'no-worker'; error: ApiError }
  | { kind: 'refused'; error: unknown };

/** Sends an answer. It arrived when the task has said so, not before. */
export async function sendAnswer(card: Card, answer: Answer): Promise<SendResult> {
  const path = `/tasks${at(card.taskId)}/decisions${at(card.id)}`;
  try {
    await post(path, answer, { 'idempotency-key': crypto.randomUUID() });
    dropQuestion(keyOf(card));
    return answer.delivery === 'signal' ? { kind: 'sent' } : { kind: 'taken' };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'DECISION_ALREADY_ANSWERED') {
      dropQuestion(keyOf(card));
      return { kind: 'late', answer: error.body.answer };
    }
    if (error instanceof ApiError && error.code === 'NO_WORKER') return { kind: 'no-worker', error };
    return { kind: 'refused', error };
  }
}
