import { ApplicationFailure } from '@temporalio/activity';

import type { Outcome } from '../../domain/types/outcome.ts';
import type { FileWrite } from '../../domain/workspace/tool-writes.ts';
import { readWrites } from '../agent/read-writes.ts';
import { awaitElsewhere } from '../attempt/await-elsewhere.ts';
import { handedOver } from '../attempt/live-run.ts';
import { openAttempt } from '../attempt/open-attempt.ts';
import type { ExecutionCall, HeldAttempt, Interrupted, Opening, AttemptWorkspace } from '../attempt/open-attempt.ts';
import type { RunningRecord } from '../attempt/running-record.ts';
import { OwnedAttempt } from '../attempt/owned-attempt.ts';
import { nothingUsed } from '../../domain/task/usage.ts';
import { formatHeld } from '../programs/orphan.ts';
import { isSystemError } from '../system/system-error.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { AttemptSnapshots, type AttemptParts } from '../workspace/snapshots/attempt-snapshots.ts';
import { filesOfAttempt } from '../workspace/snapshots/files-of-attempt.ts';
import type { Assignment } from '../attempt/assignment.ts';
import { conversationKey } from './agent/conversation-of-attempt.ts';
import { describeNotStarted } from './program/describe-execution.ts';
import { buildOutcome } from './program/describe-outcome.ts';
import { enterWorkspace } from './enter-workspace.ts';
import { goesOnAnywhere, startByKind, type AssignmentParts } from './executor-for.ts';
import { machineFailure } from '../temporal/transient-failure.ts';

/** One execution of an attempt: finds what happened to it before, then runs what executes it between two snapshots of the workspace. */
export async function runAssignment(
  parts: AssignmentParts,
  given: Assignment,
  call: ExecutionCall,
): Promise<Outcome | typeof handedOver> {
  const { input, subtask } = given;
  let place: AttemptWorkspace;
  let opening: Opening;
  let writes: FileWrite[] | undefined;
  try {
    place = { ...(await enterWorkspace(snapshotParts(parts), given, parts.paths)), deliverables: subtask.deliverables };
    opening = await openInTurn(parts, place, call, given);
    if (given.executor.kind === 'agent') writes = await readWrites(conversationKey(parts.paths, input));
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof SnapshotTrouble)) throw error;
    const facts = describeNotStarted({ exitCode: null, message: error.message });
    return buildOutcome(facts, { used: nothingUsed, reruns: 0 }, input.timeout);
  }
  const assignment = { ...given, workspace: place.workspace };
  const about = { ...input, workspace: place.workspace, deliverables: subtask.deliverables };
  // In a copy of its own nobody else writes: what it did there is seen when it is merged.
  const snapshots =
    subtask.isolation === 'worktree' ? undefined : new AttemptSnapshots(snapshotParts(parts), about, writes);
  switch (opening.kind) {
    case 'answered':
      await snapshots?.endIfOpen();
      return withFiles(parts, assignment, opening.outcome);
    case 'elsewhere':
      // It was stopped before the run of the other process had ended.
      return handedOver;
    case 'held':
      return refuseHeld(parts, assignment, opening);
    case 'opened':
      return runOpened(parts, assignment, opening, snapshots);
  }
}

/**
 * What another process of this host runs is waited for; only what is overdue, or whose task is cancelled, is taken over. What goes on
 * anywhere, as a conversation does, is taken over at once.
 */
async function openInTurn(
  parts: AssignmentParts,
  place: AttemptWorkspace,
  call: ExecutionCall,
  assignment: Assignment,
): Promise<Opening> {
  const { paths, live } = parts;
  const { timeout } = assignment.input;
  let takeOver = goesOnAnywhere(assignment);
  for (;;) {
    const opening = await openAttempt(paths, place, call, { takeOver });
    if (opening.kind !== 'elsewhere') return opening;
    live.note({ line: 'waiting for the program, which another process of this host runs' });
    const ended = await awaitElsewhere(paths, opening.run, { timeout, signal: live.signal });
    if (live.signal.aborted && live.signal.reason !== 'cancelled') return opening;
    takeOver = !ended;
  }
}

async function runOpened(
  parts: AssignmentParts,
  assignment: Assignment,
  { record, interrupted }: { record: RunningRecord; interrupted?: Interrupted },
  snapshots: AttemptSnapshots | undefined,
): Promise<Outcome | typeof handedOver> {
  const owned = new OwnedAttempt({ ...parts, record, key: assignment.input });
  const watch = snapshots === undefined ? {} : { watch: snapshots };
  const start = startByKind(assignment.executor, { parts, assignment, owned, ...watch });
  if (interrupted !== undefined) {
    const { taskId: task, subtaskId: subtask, attempt } = assignment.input;
    const about = { task, subtask, attempt, reruns: record.reruns, ...interrupted };
    parts.logger.warn('an earlier run of this attempt was cut off', about);
    const outcome = await start.afterCrash(interrupted);
    if (outcome !== undefined) {
      await snapshots?.endIfOpen();
      return withFiles(parts, assignment, outcome);
    }
  }
  await snapshots?.start();
  try {
    const outcome = await start.execute();
    await snapshots?.end({ stopping: parts.live.signal.aborted });
    return outcome === handedOver ? outcome : await withFiles(parts, assignment, outcome);
  } catch (error) {
    // What another run has taken over is not ours to end.
    const isOurs = !(error instanceof ApplicationFailure && error.type === 'taken-over');
    if (isOurs) await snapshots?.end({ stopping: true });
    throw error;
  }
}

const snapshotParts = ({ root, secrets, logger }: AssignmentParts): AttemptParts => ({
  ...{ root, logger },
  env: secrets.environment,
});

/** A failed attempt names what it left half done. In a copy of its own it left nothing in the workspace. */
async function withFiles(parts: AssignmentParts, given: Assignment, outcome: Outcome): Promise<Outcome> {
  const { input, subtask, workspace, variables } = given;
  if (outcome.kind !== 'failed' || subtask.isolation === 'worktree') return outcome;
  const attemptFiles = await filesOfAttempt(snapshotParts(parts), { ...input, workspace });
  const redactor = parts.secrets.redactor(variables);
  const files = attemptFiles.map((file) => ({ ...file, path: redactor.text(file.path) }));
  return files.length === 0 ? outcome : { ...outcome, files };
}

function refuseHeld({ logger }: AssignmentParts, { input }: Assignment, { groups, unclear }: HeldAttempt): never {
  const { taskId: task, subtaskId: subtask, attempt } = input;
  logger.warn('the program of an earlier run does not stop', { task, subtask, attempt, groups, unclear });
  throw machineFailure(formatHeld('The program of an earlier run', { left: groups, unclear }));
}
