import { Context } from '@temporalio/activity';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Verdict, VerifyInput } from '../../domain/types/attempt.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { isAgentWork } from '../../domain/executors/agent-work.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import { findChange } from '../files/find-change.ts';
import { Heartbeat } from '../temporal/heartbeat.ts';
import { attemptPaths } from '../home/home-layout.ts';
import { readBefore } from '../attempt/running-record.ts';
import { endOrphan, keyVariable, formatHeld } from '../programs/orphan.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Redactor } from '../redact/redactor.ts';
import { definitionFrom, type Definition } from '../pages/plan-pages.ts';
import { AttemptSnapshots } from '../workspace/snapshots/attempt-snapshots.ts';
import { filesOfAttempt } from '../workspace/snapshots/files-of-attempt.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { folderOfWork } from '../workspace/worktree/worktree.ts';
import type { Findings } from './bound-findings.ts';
import type { ConfinedChecks } from './commands/run-confined.ts';
import { whereChecksRun } from './commands/where-checks-run.ts';
import { settleChecks } from './commands/settle-checks.ts';
import { conclude, type VerifySubject } from './conclude.ts';
import { lostWork } from './lost-work.ts';
import { runChecks } from './run-checks.ts';
import { findConfirmed, gatherSubject, settleEvidence } from './settle-evidence.ts';
import { ownFolders } from '../home/xdg.ts';

export interface VerifyParts {
  store: Pick<Store, 'get' | 'put' | 'putFile'>;
  /** Heddle's home. */
  root: string;
  /** Verify commands get the clean base of the worker's variables alone. */
  secrets: Secrets;
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
    let snapshots: AttemptSnapshots | undefined;
    try {
      const definition = await definitionFrom(parts.store, input.plan, input.subtaskId);
      const { subtask, variables } = definition;
      const key = buildKey(context, input);
      if (context.info.attempt > 1 || input.again === true) await endEarlierCommands(key);
      snapshots = snapshotsFor(parts, { input, subtask }, context);
      await snapshots?.start();
      const redactor = parts.secrets.redactor(variables);
      const findings = await check(parts, { input, definition, key, redactor }, { context, heartbeat });
      // The findings of a verification that was stopped in the middle do not count.
      signal.throwIfAborted();
      const verdict = await conclude(parts, { input, subtask }, findings);
      return verdict.failure === null ? verdict : await withLeftFiles(parts, { input, subtask, redactor }, verdict);
    } catch (error) {
      // A cancellation is reported as one, also where something broke on the way out.
      signal.throwIfAborted();
      if (isSystemError(error) || error instanceof SnapshotTrouble)
        throw machineFailure(`The result could not be checked: ${error.message}`);
      if (error instanceof HeddleError && error.code === 'WORKTREE_MISSING') return lostWork(error);
      throw toFailure(error);
    } finally {
      await snapshots?.end({ stopping: signal.aborted });
      heartbeat.stop();
    }
  };
}

/** Two runs of the same commands would disturb each other: an earlier run that does not end is waited for. */
async function endEarlierCommands(key: string): Promise<void> {
  const { left, unclear } = await endOrphan({ host: hostname(), mark: `${keyVariable}=${key}` });
  if (left.length > 0 || unclear !== undefined)
    throw machineFailure(formatHeld('A command of an earlier verification', { left, unclear }));
}

interface Checked extends Pick<VerifySubject, 'input'> {
  definition: Definition;
  key: string;
  redactor: Redactor;
}

async function check(
  parts: VerifyParts,
  { input, definition, key, redactor }: Checked,
  { context, heartbeat }: { context: Context; heartbeat: Heartbeat },
): Promise<Findings> {
  const root = resolve(parts.root);
  const { subtask } = definition;
  const paths = attemptPaths(root, input, context.info.namespace);
  const { before, openedAt } = await readBefore(paths, input.startedAt);
  const { cancellationSignal: signal } = context;
  const except = ownFolders(root, parts.secrets.environment);
  const changed =
    openedAt === undefined
      ? {}
      : { hasChanged: (at: string): Promise<boolean> => findChange(at, { since: openedAt, except, signal }) };
  const workspace = await resolveFolder(parts, { input, subtask });
  const { verify, approved } = settleChecks(subtask.verify, input.checks ?? [], {
    workspace: input.workspace,
    at: workspace,
  });
  const confine = (at: string): Promise<ConfinedChecks | undefined> =>
    whereChecksRun(definition, approved, {
      ...{ root, workspace: at, environment: parts.secrets.environment, mark: `${keyVariable}=${key}`, redactor },
      writer: { task: input.taskId, subtask: input.subtaskId },
    });
  const evidence = await gatherSubject(parts.store, input, subtask);
  const findings = await runChecks(
    {
      workspace,
      checks: { ...subtask, verify },
      ...(evidence === undefined ? {} : { evidence }),
      execution: input.execution,
      byModel: isAgentWork(subtask.executor),
      before,
      ...changed,
    },
    {
      store: parts.store,
      redactor,
      paths,
      env: {
        ...baseEnvironment(parts.secrets.environment),
        ...definition.inputs,
        HEDDLE_TASK_ID: input.taskId,
        HEDDLE_SUBTASK_ID: input.subtaskId,
        HEDDLE_ATTEMPT: String(input.attempt),
        [keyVariable]: key,
      },
      commandTimeout: input.commandTimeout ?? parts.commandTimeout ?? limits.verifyCommandTimeout,
      killGrace: parts.killGrace ?? activityLimits.killGrace,
      inspectTimeout: parts.inspectTimeout ?? activityLimits.inspectTimeout,
      signal,
      confine,
      onCheck: (what) => heartbeat.note({ line: clip(oneLine(`checking ${what}`), limits.summary) }),
    },
  );
  if (evidence === undefined) return findings;
  const page = await settleEvidence(parts.store, evidence, { rules: subtask.evidence, workspace, findings });
  const confirmed = findConfirmed(evidence, input.owed ?? []);
  return {
    ...findings,
    ...(page === undefined ? {} : { evidence: page }),
    ...(confirmed.length === 0 ? {} : { confirmed }),
  };
}

/** Besides its deliverables: what else a failed attempt left half done. */
async function withLeftFiles(
  { root, secrets }: VerifyParts,
  { input, subtask, redactor }: VerifySubject & { redactor: Redactor },
  verdict: Verdict,
): Promise<Verdict> {
  if (subtask.isolation === 'worktree') return verdict;
  const knownPaths = new Set(verdict.files.map(({ path }) => path));
  const leftFiles = (await filesOfAttempt({ root: resolve(root), environment: secrets.environment }, input))
    .map((file) => ({ ...file, path: redactor.text(file.path) }))
    .filter(({ path }) => !knownPaths.has(path));
  return { ...verdict, files: [...verdict.files, ...leftFiles].slice(0, Math.max(knownPaths.size, limits.leftFiles)) };
}

/** The subtask's own copy of the workspace, as long as it is not merged yet; a copy that is gone is an error. */
async function resolveFolder({ root, secrets }: VerifyParts, { input, subtask }: VerifySubject): Promise<string> {
  if (subtask.isolation !== 'worktree') return input.workspace;
  return folderOfWork({ root: resolve(root), environment: secrets.environment }, input);
}

/** Only commands can change files; all other checks look. */
function snapshotsFor(
  parts: VerifyParts,
  { input, subtask }: VerifySubject,
  { log }: Context,
): AttemptSnapshots | undefined {
  const { verify, deliverables, isolation } = subtask;
  if (verify.length === 0 || isolation === 'worktree') return undefined;
  const snapshots = { root: resolve(parts.root), environment: parts.secrets.environment, logger: log };
  return new AttemptSnapshots(snapshots, { ...input, deliverables });
}

/** The same for every execution of one verification, in all runs of the task, and no other's: it marks the processes of its commands. */
function buildKey({ info }: Context, { chain }: VerifyInput): string {
  return `verify/${info.namespace}/${chain}/${info.activityId}/`;
}
