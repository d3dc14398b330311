import { proxyActivities } from '@temporalio/workflow';
import type { ExecuteInput } from '../../../../domain/types/attempt.ts';
import type { Outcome } from '../../../../domain/types/outcome.ts';

/** One attempt, as the task's workflow calls it, with less patience. */
export function runOneAttempt(input: ExecuteInput): Promise<Outcome> {
  const { executeSubtask } = proxyActivities<{ executeSubtask(input: ExecuteInput): Promise<Outcome> }>({
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '3 seconds',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 10 },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  return executeSubtask(input);
}
