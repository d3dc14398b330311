import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/**
 * Every line that an activity logs says of which task, subtask and attempt it speaks. Temporal's own `attempt` counts its retries of
 * one call: ours is the contract's number, theirs goes by the name `tries`.
 */
export const attemptLogAttributes: ActivityInterceptorsFactory = ({ info }) => {
  const match = /^(.+)-(\d+)-(?:execute|verify)$/.exec(info.activityId);
  const task = info.workflowExecution?.workflowId.replace(/^task-/, '');
  const about = {
    ...(task === undefined ? {} : { task }),
    ...(match === null ? {} : { subtask: match[1], attempt: Number(match[2]) }),
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
