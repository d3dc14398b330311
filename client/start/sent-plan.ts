import { decodePayload } from '../codec/decode-payload.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';

/** The input that a task was started with, from the first event of its first run; undefined where the server has it no more. */
export async function readSentInput(
  { temporal }: Pick<HeddleClient, 'temporal'>,
  workflowId: string,
): Promise<Record<string, unknown> | undefined> {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  const runId = raw.workflowExecutionInfo?.firstRunId ?? raw.workflowExecutionInfo?.execution?.runId ?? '';
  const { history } = await temporal.connection.workflowService.getWorkflowExecutionHistory({
    namespace: temporal.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const payload = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
  return payload === undefined ? undefined : decodePayload<Record<string, unknown>>(temporal.options, payload);
}
