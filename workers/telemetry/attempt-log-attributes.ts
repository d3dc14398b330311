import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { parseActivityId, parseTaskId } from '../../domain/names/names.ts';

/**
 * Every line that an activity logs says of which task, subtask and attempt it speaks. Temporal's own `attempt` counts its retries of
 * one call: ours is the contract's number, theirs goes by the name `tries`.
 */
export const attemptLogAttributes: ActivityInterceptorsFactory = ({ info }) => {
  const call = parseActivityId(info.activityId);
  const workflowId = info.workflowExecution?.workflowId;
  const about = {
    ...(workflowId === undefined ? {} : { task: parseTaskId(workflowId) }),
    ...(call === undefined ? {} : { subtask: call.subtask, attempt: call.attempt }),
  };
  return {
    outbound: {
      getLogAttributes(input, next) {
        const { attempt: tries, ...rest } = next(input);
        return { ...rest, tries, ...about };
      },
    },
  };
};
