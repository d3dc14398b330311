import { Context } from '@temporalio/activity';
import { resolve } from 'node:path';

import type { ExecuteInput } from '../../domain/types/attempt.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import { askTaskFrom } from '../temporal/ask-task.ts';
import { isAwaited } from '../attempt/await-elsewhere.ts';
import { Heartbeat } from '../temporal/heartbeat.ts';
import { LiveExecution } from '../attempt/live-execution.ts';
import { LiveExecutions } from '../attempt/live-executions.ts';
import type { ScheduledTry } from '../attempt/open-attempt.ts';
import { attemptPaths } from '../home/home-layout.ts';
import { toFailure } from '../temporal/failure.ts';
import { readAttempt } from '../attempt/attempt.ts';
import type { ExecutionPorts } from '../attempt/execution-parts.ts';
import { executeAttempt } from './execute-attempt.ts';

/** A worker's ports; Temporal's own log is used when no other logger is given. */
type ExecuteParts = Omit<ExecutionPorts, 'logger'> & Partial<Pick<ExecutionPorts, 'logger'>>;

/** The whole process has one list: two workers in it may serve the same queue. */
const liveExecutions = new LiveExecutions<Outcome>();

/**
 * The activity `executeSubtask`: one execution of one attempt of a program or an agent. Every end is an outcome, also an end by a
 * cancellation. It throws only `transient` (another try of the same execution), errors that a person must repair, and the hand-over to
 * another worker. A later try finds out what happened before: a result, a program that still runs, or a crash.
 */
export function createExecuteSubtask(parts: ExecuteParts): (input: ExecuteInput) => Promise<Outcome> {
  const root = resolve(parts.root);
  return async function executeSubtask(input) {
    const context = Context.current();
    const heartbeat = new Heartbeat(context);
    try {
      const paths = attemptPaths(root, input, context.info.namespace);
      const attempt = await readAttempt(parts.store, input, paths);
      const logger = parts.logger ?? context.log;
      const askTask = askTaskFrom(context, { subtask: input.subtaskId, logger });
      const start = (): LiveExecution<Outcome> =>
        new LiveExecution({
          startedAt: input.startedAt,
          isAwaited: () => isAwaited(paths),
          work: (live) =>
            executeAttempt({ ...parts, root, logger, live, askTask }, attempt, readScheduling(context, input)),
        });
      return await liveExecutions.joinOrStart(paths.record, input.startedAt, { start, call: { context, heartbeat } });
    } catch (error) {
      throw toFailure(error);
    } finally {
      heartbeat.stop();
    }
  };
}

/** Temporal's retries of one activity belong to one scheduling; the workflow schedules a new one for each execution. */
function readScheduling({ info }: Context, { startedAt }: ExecuteInput): ScheduledTry {
  const { workflowExecution, activityId, scheduledTimestampMs, attempt } = info;
  const schedule = `${workflowExecution?.runId ?? ''}/${activityId}/${scheduledTimestampMs}`;
  return { startedAt, schedule, isRetry: attempt > 1 };
}
