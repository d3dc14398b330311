import { ApplicationFailure, Context } from '@temporalio/activity';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Issue, Verdict, VerifyInput } from '../../domain/model/attempt.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { limits } from '../../domain/limits.ts';
import { activityLimits } from '../limits.ts';
import { clip, oneLine, sayList } from '../../domain/text/text.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import type { Variables } from '../programs/base-environment.ts';
import { Heartbeat } from '../attempt/heartbeat.ts';
import { endOrphan, keyVariable } from '../programs/orphan.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';
import { transientFailure } from '../execute/transient-failure.ts';
import type { FileStore } from '../store/file-store.ts';
import { isSystemError } from '../store/system-error.ts';
import { AttemptSnapshots } from '../workspace/snapshots/attempt-snapshots.ts';
import { mergeWorktree } from '../workspace/worktree/merge-worktree.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { folderOfWork } from '../workspace/worktree/worktree.ts';
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
  return async function verifySubtask(given) {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const heartbeat = new Heartbeat(context);
    const key = keyOf(context);
    const snapshots = snapshotsFor(parts, given, context);
    try {
      const input = await inItsPlace(parts, given);
      if (context.info.attempt > 1) await endOrphan({ host: hostname(), idempotencyKey: key });
      await snapshots?.start();
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
        killGrace: parts.killGrace ?? activityLimits.killGrace,
        inspectTimeout: parts.inspectTimeout ?? activityLimits.inspectTimeout,
        signal,
        onCheck: (what) => heartbeat.note({ line: clip(oneLine(`checking ${what}`), limits.summary) }),
      });
      const merged = verdict.outcome === 'fail' ? verdict : await mergeResult(parts, given, verdict);
      return merged.outcome === 'fail' ? merged : { ...merged, after: await stampResult(given) };
    } catch (error) {
      // Whatever broke on the way out, a cancellation is reported as one.
      signal.throwIfAborted();
      throw asFailure(error);
    } finally {
      await snapshots?.end({ stopping: signal.aborted });
      heartbeat.stop();
    }
  };
}

/** The subtask's own copy of the workspace, as long as it is not merged yet; a copy that is gone is an error. */
async function inItsPlace({ root, env }: VerifyParts, input: VerifyInput): Promise<VerifyInput> {
  if (input.isolation !== 'worktree') return input;
  return { ...input, workspace: await folderOfWork({ root: resolve(root), env }, input) };
}

/** What passed the checks in a copy becomes the workspace's; what stands against others' changes does not pass. */
async function mergeResult(parts: VerifyParts, input: VerifyInput, verdict: Verdict): Promise<Verdict> {
  if (input.isolation !== 'worktree') return verdict;
  const { deliverables } = input.checks;
  const snapshots = { root: resolve(parts.root), env: parts.env };
  const { conflicts } = await mergeWorktree(snapshots, { ...input, deliverables });
  if (conflicts.length === 0) return verdict;
  const issue: Issue = {
    code: 'merge-conflict',
    severity: 'hard',
    message: `Others changed the same places of ${sayList(conflicts, 10)} meanwhile.`,
    details:
      'These files are as the others left them now; make your changes again on top of that. All your other changes are still there.',
  };
  return { ...verdict, outcome: 'fail', issues: [issue, ...verdict.issues] };
}

/** Only commands can change files; all other checks look. */
function snapshotsFor(parts: VerifyParts, input: VerifyInput, { log }: Context): AttemptSnapshots | undefined {
  const { verify, deliverables } = input.checks;
  if (verify.length === 0 || input.isolation === 'worktree') return undefined;
  return new AttemptSnapshots({ ...parts, root: resolve(parts.root), logger: log }, { ...input, deliverables });
}

/** What a later run compares, to know whether this result still stands. */
function stampResult({ workspace, checks, contract }: VerifyInput): Promise<NonNullable<Verdict['after']>> {
  const paths = new Set([...checks.deliverables, ...(contract?.deliverablesTouched ?? [])]);
  return stampDeliverables(workspace, [...paths].slice(0, activityLimits.stampedFiles));
}

/** What a person must mend is not tried again; trouble of the machine passes, or is told as such when it does not. */
function asFailure(error: unknown): unknown {
  if (isSystemError(error) || error instanceof SnapshotTrouble)
    return transientFailure(`The result could not be checked: ${error.message}`);
  if (!(error instanceof HeddleError)) return error;
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}

/** The same for every execution of one verification, and no other's: it marks the processes of its commands. */
function keyOf({ info }: Context): string {
  return `verify/${info.workflowExecution?.runId ?? ''}/${info.activityId}`;
}
