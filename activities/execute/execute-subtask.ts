import { ApplicationFailure, Context } from '@temporalio/activity';
import { resolve } from 'node:path';

import type { ExecuteInput, Execution } from '../../domain/model/attempt.ts';
import { sayList } from '../../domain/text/text.ts';
import type { FileStore } from '../store/file-store.ts';
import { isSystemError } from '../store/system-error.ts';
import { AttemptSnapshots } from '../workspace/snapshots/attempt-snapshots.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { AttemptRun } from './attempt-run.ts';
import { redactorFor } from '../programs/redact-secrets.ts';
import type { Variables } from '../programs/base-environment.ts';
import { describeCrash, describeNotStarted } from './describe-execution.ts';
import { enterWorkspace, type Entered } from './enter-workspace.ts';
import { Heartbeat } from '../attempt/heartbeat.ts';
import { openAttempt } from '../attempt/open-attempt.ts';
import type { Call, Opening } from '../attempt/open-attempt.ts';
import { removeOtherScratch } from '../attempt/scratch.ts';
import { runningPaths } from '../attempt/running-paths.ts';
import { transientFailure } from './transient-failure.ts';

export interface ExecuteParts {
  store: FileStore;
  /** Heddle's home: what runs leaves its traces in `running/` below it. */
  root: string;
  /** The worker's own environment; programs see the base and what a plan names of it. */
  env: Variables;
  /** Where a person who operates the worker reads of orphans and the like; Temporal's log when absent. */
  logger?: Pick<Context['log'], 'warn'>;
}

/**
 * The activity `executeSubtask`: one execution of one attempt of a program. Whatever the program does is a result; it throws only
 * `transient` (try the same attempt again) and the cancellation. A call that Temporal repeats after a crash finds what happened before.
 */
export function createExecuteSubtask(parts: ExecuteParts): (input: ExecuteInput) => Promise<Execution> {
  const root = resolve(parts.root);
  return async function executeSubtask(input) {
    const context = Context.current();
    const heartbeat = new Heartbeat(context);
    try {
      return await execute({ ...parts, root, logger: parts.logger ?? context.log }, input, context, heartbeat);
    } finally {
      heartbeat.stop();
    }
  };
}

async function execute(
  parts: Required<ExecuteParts>,
  given: ExecuteInput,
  context: Context,
  heartbeat: Heartbeat,
): Promise<Execution> {
  const paths = runningPaths(parts.root, given);
  let opening: Opening;
  let entered: Entered;
  try {
    entered = await enterWorkspace(parts, given, paths);
    opening = await openAttempt(paths, entered.input, callOf(context));
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof SnapshotTrouble)) throw error;
    return { ...describeNotStarted({ exitCode: null, message: error.message }), reruns: 0, before: [] };
  }
  const { input, ...restored } = entered;
  // In a copy of its own nobody else writes: what it did there is seen when it is merged.
  const snapshots = input.isolation === 'worktree' ? undefined : new AttemptSnapshots(parts, input);
  if (opening.kind === 'answered') {
    await snapshots?.endIfOpen();
    return opening.execution;
  }
  const about = { task: input.taskId, subtask: input.subtaskId, attempt: input.attempt };
  if (opening.kind === 'held') {
    parts.logger.warn('the program of an earlier run does not end', { ...about, groups: opening.groups });
    throw transientFailure(
      `The program of an earlier run does not end (process ${sayList(opening.groups.map(String))}).`,
    );
  }
  const { record, interrupted } = opening;
  const run = new AttemptRun({ ...parts, paths, input, context, heartbeat, record });
  if (interrupted !== undefined) {
    parts.logger.warn('an earlier run of this attempt was cut off', {
      ...about,
      reruns: record.reruns,
      ...interrupted,
    });
    const left = await describeCrash(interrupted, paths, {
      store: parts.store,
      redactor: redactorFor(parts.env, [input]),
    });
    await removeOtherScratch(paths, record.run);
    if (input.executor.onCrash === 'ask') {
      await snapshots?.endIfOpen();
      return run.close(left);
    }
  }
  await snapshots?.start();
  try {
    const execution = await run.execute();
    await snapshots?.end({ stopping: false });
    return { ...execution, ...restored };
  } catch (error) {
    // What another run has taken over is not ours to end.
    const isOurs = !(error instanceof ApplicationFailure && error.type === 'taken-over');
    if (isOurs) await snapshots?.end({ stopping: true });
    throw error;
  }
}

/** A new scheduling of the same activity is another call; a retry of it is the same one. */
function callOf(context: Context): Call {
  const { workflowExecution, activityId, scheduledTimestampMs, attempt } = context.info;
  const workflowRun = workflowExecution?.runId ?? '';
  return { workflowRun, schedule: `${workflowRun}/${activityId}/${scheduledTimestampMs}`, isRetry: attempt > 1 };
}
