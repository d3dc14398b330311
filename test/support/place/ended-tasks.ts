import type { WorkflowClientInterceptor } from '@temporalio/client';
import proto from '@temporalio/proto';

const status = proto.temporal.api.enums.v1.WorkflowExecutionStatus;
const isOpen: ReadonlySet<unknown> = new Set([
  status.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED,
  status.WORKFLOW_EXECUTION_STATUS_RUNNING,
  status.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW,
  status.WORKFLOW_EXECUTION_STATUS_PAUSED,
  undefined,
  null,
]);

/**
 * For a client that asks ended tasks the same again and again: no worker keeps those in its cache, so that each answer costs a replay of
 * the whole history, and is the same each time. What was asked once since the server said that it has ended is not asked again.
 */
export class EndedTasks implements WorkflowClientInterceptor {
  readonly #answers = new Map<string, Map<string, unknown>>();

  /** For a test that looks at who answers. */
  forget(): void {
    this.#answers.clear();
  }

  describe: NonNullable<WorkflowClientInterceptor['describe']> = async (input, next) => {
    const described = await next(input);
    const { workflowId, runId } = input.workflowExecution;
    if (runId || !workflowId || isOpen.has(described.workflowExecutionInfo?.status)) return described;
    if (!this.#answers.has(workflowId)) this.#answers.set(workflowId, new Map());
    return described;
  };

  startWithDetails: NonNullable<WorkflowClientInterceptor['startWithDetails']> = (input, next) => {
    this.#answers.delete(input.options.workflowId);
    return next(input);
  };

  query: NonNullable<WorkflowClientInterceptor['query']> = async (input, next) => {
    const { workflowId, runId } = input.workflowExecution;
    const known = runId ? undefined : this.#answers.get(workflowId);
    if (known === undefined) return next(input);
    const question = JSON.stringify([input.queryType, input.args]);
    if (!known.has(question)) known.set(question, await next(input));
    return known.get(question);
  };
}
