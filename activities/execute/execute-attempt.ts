import type { Outcome } from '../../domain/types/outcome.ts';
import type { FileWrite } from '../../domain/workspace/tool-writes.ts';
import { readWrites } from '../agent/read-writes.ts';
import { awaitElsewhere } from '../attempt/await-elsewhere.ts';
import { handedOver } from '../attempt/live-execution.ts';
import { openAttempt } from '../attempt/open-attempt.ts';
import type { ScheduledTry, HeldAttempt, Interrupted, Opening, AttemptWorkspace } from '../attempt/open-attempt.ts';
import type { RunningRecord } from '../attempt/running-record.ts';
import { OwnedRecord } from '../attempt/owned-record.ts';
import { recallForAttempt } from '../memory/recall-lessons.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { formatHeld } from '../programs/orphan.ts';
import { isSystemError } from '../system/system-error.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { AttemptSnapshots, type AttemptParts } from '../workspace/snapshots/attempt-snapshots.ts';
import { filesOfAttempt } from '../workspace/snapshots/files-of-attempt.ts';
import { describeAttempt, type Attempt } from '../attempt/attempt.ts';
import { conversationKey } from './agent/conversation-of-attempt.ts';
import { describeNotStarted } from './program/describe-execution.ts';
import { buildOutcome } from './program/describe-outcome.ts';
import { enterWorkspace } from './enter-workspace.ts';
import type { ExecutionPorts, LivePorts } from '../attempt/execution-parts.ts';
import { canMoveProcess, createExecution } from './executor-for.ts';
import { isTakenOver } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';

/** One execution of an attempt: finds out what happened to the attempt before, then runs its executor between two snapshots of the workspace. */
export async function executeAttempt(
  ports: LivePorts,
  given: Attempt,
  scheduled: ScheduledTry,
): Promise<Outcome | typeof handedOver> {
  const { input, subtask } = given;
  let place: AttemptWorkspace;
  let opening: Opening;
  let writes: FileWrite[] | undefined;
  try {
    place = await enterWorkspace(snapshotParts(ports), given);
    opening = await openInTurn(ports, place, scheduled, given);
    if (given.executor.kind === 'agent') writes = await readWrites(conversationKey(given));
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof SnapshotTrouble)) throw error;
    const facts = describeNotStarted({ exitCode: null, message: error.message });
    return buildOutcome(facts, { used: nothingUsed, reruns: 0 }, input.timeout);
  }
  const attempt = { ...given, workspace: place.workspace };
  const { inGenerated = [] } = given;
  const about = { ...input, workspace: place.workspace, deliverables: subtask.deliverables, inGenerated };
  // Nobody else writes in the subtask's own copy: its changes are seen when it is merged.
  const snapshots =
    subtask.isolation === 'worktree' ? undefined : new AttemptSnapshots(snapshotParts(ports), about, writes);
  switch (opening.kind) {
    case 'answered':
      await snapshots?.endIfOpen();
      return withFiles(ports, attempt, opening.outcome);
    case 'elsewhere':
      // It was stopped before the run of the other process had ended.
      return handedOver;
    case 'held':
      return refuseHeld(ports, attempt, opening);
    case 'opened':
      return runOpened(ports, attempt, opening, snapshots);
  }
}

/**
 * An execution in another process of this host is waited for; it is taken over only when it is overdue or its task is cancelled. An
 * execution that can move to any process, such as a conversation, is taken over at once.
 */
async function openInTurn(
  { live }: LivePorts,
  place: AttemptWorkspace,
  scheduled: ScheduledTry,
  attempt: Attempt,
): Promise<Opening> {
  const { paths } = attempt;
  const { timeout } = attempt.input;
  let takeOver = canMoveProcess(attempt);
  for (;;) {
    const opening = await openAttempt(paths, place, scheduled, { takeOver });
    if (opening.kind !== 'elsewhere') return opening;
    live.note({ line: 'waiting for the program, which another process of this host runs' });
    const ended = await awaitElsewhere(paths, opening.run, { timeout, signal: live.signal });
    if (live.signal.aborted && live.signal.reason !== 'cancelled') return opening;
    takeOver = !ended;
  }
}

async function runOpened(
  ports: LivePorts,
  given: Attempt,
  { record, interrupted }: { record: RunningRecord; interrupted?: Interrupted },
  snapshots: AttemptSnapshots | undefined,
): Promise<Outcome | typeof handedOver> {
  const owned = new OwnedRecord({ paths: given.paths, logger: ports.logger, record, key: given.input });
  const watch = snapshots === undefined ? {} : { watch: snapshots };
  const lessons = await recallOnce(ports, given, owned);
  const attempt = lessons.length === 0 ? given : { ...given, lessons };
  const execution = createExecution(attempt.executor, { ...ports, attempt, owned, ...watch });
  if (interrupted !== undefined) {
    const about = { ...describeAttempt(attempt.input), reruns: record.reruns, ...interrupted };
    ports.logger.warn('an earlier run of this attempt was cut off', about);
    const outcome = await execution.afterCrash(interrupted);
    if (outcome !== undefined) {
      await snapshots?.endIfOpen();
      return withFiles(ports, attempt, outcome);
    }
  }
  await snapshots?.start();
  try {
    const outcome = await execution.execute();
    await snapshots?.end({ stopping: ports.live.signal.aborted });
    return outcome === handedOver ? outcome : await withFiles(ports, attempt, outcome);
  } catch (error) {
    // An attempt that another execution has taken over is not ours to end.
    if (!isTakenOver(error)) await snapshots?.end({ stopping: true });
    throw error;
  }
}

/** The lessons of an attempt are chosen in its first execution: after a crash its prompt is the same. */
async function recallOnce({ store }: LivePorts, attempt: Attempt, owned: OwnedRecord): Promise<string[]> {
  const { goal, subtask, input } = attempt;
  if (input.context.lessons === undefined) return [];
  const lessons = owned.record.lessons ?? (await recallForAttempt(store, { goal, subtask, context: input.context }));
  owned.note({ lessons });
  return lessons.map(({ text }) => text);
}

const snapshotParts = ({ root, secrets, logger }: ExecutionPorts): AttemptParts => ({
  ...{ root, logger },
  environment: secrets.environment,
});

/** A failed attempt names the files that it left half done. An attempt in a copy of its own left none in the workspace. */
async function withFiles(ports: ExecutionPorts, given: Attempt, outcome: Outcome): Promise<Outcome> {
  const { input, subtask, workspace, variables } = given;
  if (outcome.kind !== 'failed' || subtask.isolation === 'worktree') return outcome;
  const attemptFiles = await filesOfAttempt(snapshotParts(ports), { ...input, workspace });
  const redactor = ports.secrets.redactor(variables);
  const files = attemptFiles.map((file) => ({ ...file, path: redactor.text(file.path) }));
  return files.length === 0 ? outcome : { ...outcome, files };
}

function refuseHeld({ logger }: ExecutionPorts, { input }: Attempt, { groups, unclear }: HeldAttempt): never {
  logger.warn('the program of an earlier run does not stop', { ...describeAttempt(input), groups, unclear });
  throw machineFailure(formatHeld('The program of an earlier run', { left: groups, unclear }));
}
