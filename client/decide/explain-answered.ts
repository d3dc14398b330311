import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { readTaskDecision, type GivenAnswer } from '../tasks/task-decisions.ts';

/** The answer that came before one that was refused; undefined where it was refused for another reason. */
export async function findFirstAnswer(
  error: unknown,
  handle: TaskHandle,
  decision: string,
): Promise<GivenAnswer | undefined> {
  if (!(error instanceof HeddleError) || error.code !== 'DECISION_ALREADY_ANSWERED') return undefined;
  const question = await readTaskDecision(handle, decision).catch(() => undefined);
  return question?.answer;
}
