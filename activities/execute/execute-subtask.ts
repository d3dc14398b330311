import { Context } from '@temporalio/activity';
import { resolve } from 'node:path';

import type { ExecuteInput } from '../../domain/types/attempt.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import { askTaskFrom } from '../temporal/ask-task.ts';
import { isAwaited } from '../attempt/await-elsewhere.ts';
import { Heartbeat } from '../temporal/heartbeat.ts';
import { LiveRun } from '../attempt/live-run.ts';
import { LiveRuns } from '../attempt/live-runs.ts';
import type { ExecutionCall } from '../attempt/open-attempt.ts';
import { attemptPaths } from '../home/home-layout.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import type { AgentPorts } from './agent/agent-executor.ts';
import { asFailure } from '../temporal/to-failure.ts';
import { readAssignment } from '../attempt/assignment.ts';
import { runAssignment } from './run-assignment.ts';

export interface ExecuteParts {
  store: Store;
  /** Heddle's home: what runs leaves its traces in `running/` below it. */
  root: string;
  /** Programs see the base of the worker's environment, and the variables that a plan names. */
  secrets: Secrets;
  /** Where a person who operates the worker reads of orphans and the like; Temporal's log when absent. */
  logger?: Pick<Context['log'], 'warn'>;
  /** Models and tools of agents; without them only programs run. */
  agents?: AgentPorts;
}

/** Of the whole process: two workers in it may serve the same queue. */
const runs = new LiveRuns<Outcome>();

/**
 * The activity `executeSubtask`: one execution of one attempt of a program or an agent. Whatever it does is an outcome, also its end by
 * a cancellation; it throws only `transient` (try the same attempt again), what a person must mend, and what hands the attempt over to
 * another worker. A call that Temporal repeats finds what happened before: a result, a program that still runs, or a crash.
 */
export function createExecuteSubtask(parts: ExecuteParts): (input: ExecuteInput) => Promise<Outcome> {
  const root = resolve(parts.root);
  return async function executeSubtask(input) {
    const context = Context.current();
    const heartbeat = new Heartbeat(context);
    try {
      const assignment = await readAssignment(parts.store, input);
      const paths = attemptPaths(root, input, context.info.namespace);
      const logger = parts.logger ?? context.log;
      const askTask = askTaskFrom(context, { subtask: input.subtaskId, logger });
      const start = (): LiveRun<Outcome> =>
        new LiveRun({
          startedAt: input.startedAt,
          isAwaited: () => isAwaited(paths),
          work: (live) =>
            runAssignment({ ...parts, root, logger, paths, live, askTask }, assignment, buildCall(context, input)),
        });
      return await runs.joinOrStart(paths.record, input.startedAt, { start, call: { context, heartbeat } });
    } catch (error) {
      throw asFailure(error);
    } finally {
      heartbeat.stop();
    }
  };
}

/** A new scheduling of the same activity is another call; a retry of it is the same one. */
function buildCall({ info }: Context, { startedAt }: ExecuteInput): ExecutionCall {
  const { workflowExecution, activityId, scheduledTimestampMs, attempt } = info;
  const schedule = `${workflowExecution?.runId ?? ''}/${activityId}/${scheduledTimestampMs}`;
  return { startedAt, schedule, isRetry: attempt > 1 };
}
