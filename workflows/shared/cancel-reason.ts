import { workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** The reasons of cancellations by run id: workflows share this module, and the SDK itself drops the reason. */
const reasons = new Map<string, string>();

/** Why this run is cancelled, where somebody said so; once. */
export function takeCancelReason(): string | undefined {
  const { runId } = workflowInfo();
  const reason = reasons.get(runId);
  reasons.delete(runId);
  return reason;
}

/** Keeps the reason of a cancellation before the workflow hears of it. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  internals: [
    {
      activate(input, next) {
        for (const { cancelWorkflow } of input.activation.jobs ?? []) {
          const reason = cancelWorkflow?.reason ?? '';
          if (reason !== '') reasons.set(workflowInfo().runId, reason);
        }
        next(input);
      },
    },
  ],
});
