import { ApplicationFailure, Context } from '@temporalio/activity';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Verdict, VerifyInput } from '../../domain/attempt.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { limits } from '../../domain/limits.ts';
import { clip, oneLine } from '../../domain/text.ts';
import { baseEnvironment } from '../execute/base-environment.ts';
import type { Variables } from '../execute/base-environment.ts';
import { Heartbeat } from '../execute/heartbeat.ts';
import { endOrphan, keyVariable } from '../execute/orphan.ts';
import { stampDeliverables } from '../execute/stamp-deliverables.ts';
import { transientFailure } from '../execute/transient-failure.ts';
import type { FileStore } from '../store/file-store.ts';
import { isSystemError } from '../store/system-error.ts';
import { runChecks } from './run-checks.ts';

export interface VerifyParts {
  store: Pick<FileStore, 'get' | 'putFile'>;
  /** Heddle's home. */
  root: string;
  /** The worker's own variables; verify commands get the clean base of them. */
  env: Variables;
  commandTimeout?: number;
  killGrace?: number;
  inspectTimeout?: number;
}

/**
 * The activity `verifySubtask`: tier 1, deterministic, always. It looks and changes nothing itself, so after a crash it just runs
 * again, once the commands that the crash left running are ended.
 */
export function createVerifySubtask(parts: VerifyParts): (input: VerifyInput) => Promise<Verdict> {
  return async function verifySubtask(input) {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const heartbeat = new Heartbeat(context);
    const key = keyOf(context);
    try {
      if (context.info.attempt > 1) await endOrphan({ host: hostname(), idempotencyKey: key });
      const verdict = await runChecks(input, {
        store: parts.store,
        root: resolve(parts.root),
        env: {
          ...baseEnvironment(parts.env),
          HEDDLE_TASK_ID: input.taskId,
          HEDDLE_SUBTASK_ID: input.subtaskId,
          HEDDLE_ATTEMPT: String(input.attempt),
          [keyVariable]: key,
        },
        commandTimeout: input.commandTimeout ?? parts.commandTimeout ?? limits.verifyCommandTimeout,
        killGrace: parts.killGrace ?? limits.killGrace,
        inspectTimeout: parts.inspectTimeout ?? limits.inspectTimeout,
        signal,
        onCheck: (what) => heartbeat.note({ line: clip(oneLine(`checking ${what}`), limits.summary) }),
      });
      return verdict.outcome === 'fail' ? verdict : { ...verdict, after: await stampResult(input) };
    } catch (error) {
      // Whatever broke on the way out, a cancellation is reported as one.
      signal.throwIfAborted();
      throw asFailure(error);
    } finally {
      heartbeat.stop();
    }
  };
}

/** What a later run compares, to know whether this result still stands. */
function stampResult({ workspace, checks, contract }: VerifyInput): Promise<NonNullable<Verdict['after']>> {
  const paths = new Set([...checks.deliverables, ...(contract?.deliverablesTouched ?? [])]);
  return stampDeliverables(workspace, [...paths].slice(0, limits.stampedFiles));
}

/** What a person must mend is not tried again; trouble of the machine passes, or is told as such when it does not. */
function asFailure(error: unknown): unknown {
  if (isSystemError(error)) return transientFailure(`The result could not be checked: ${error.message}`);
  if (!(error instanceof HeddleError)) return error;
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}

/** The same for every execution of one verification, and no other's: it marks the processes of its commands. */
function keyOf({ info }: Context): string {
  return `verify/${info.workflowExecution?.runId ?? ''}/${info.activityId}`;
}
