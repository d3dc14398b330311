import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import type { Outcome, Restored } from '../../domain/types/outcome.ts';
import type { Stamp } from '../../domain/types/basic/ref.ts';
import { endOrphan } from '../programs/orphan.ts';
import type { Orphan } from '../programs/orphan.ts';
import { isAlive, readIdentity } from '../programs/process-identity.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import { readRecord, writeRecord } from './running-record.ts';
import type { RunningRecord } from './running-record.ts';
import { buildAttemptMark } from './attempt-scratch.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';

/** The scheduling of the activity that a try belongs to. */
export interface ScheduledTry {
  /** The time at which the attempt began, by the workflow. */
  startedAt: string;
  schedule: string;
  /** Temporal repeats a try whose end it does not know. */
  isRetry: boolean;
}

/** The folder in which an attempt works, with the files that were brought back there before it. */
export interface AttemptWorkspace {
  workspace: string;
  deliverables: readonly string[];
  restored?: Restored;
}

export type Opening =
  /** The program may run; `interrupted` is the run that a crash or a stop of the worker cut off. */
  | { kind: 'opened'; record: RunningRecord; interrupted?: Interrupted }
  /** It ran to its end already; only the answer to Temporal was lost. */
  | { kind: 'answered'; outcome: Outcome }
  /** Another process of this host runs it, and lives. */
  | { kind: 'elsewhere'; run: string }
  /** Its program from before cannot be ended, or may still run: running a second one beside it would be worse than waiting. */
  | HeldAttempt;

export interface HeldAttempt {
  kind: 'held';
  groups: number[];
  /** Why nobody knows whether it runs. */
  unclear?: string;
}

export interface Interrupted {
  /** The worker stopped in an orderly way, and ended the program itself. */
  handedOver: boolean;
  /** Unknown when the record was damaged. */
  run?: string;
  endedGroups: number[];
}

/** Finds out what happened to this attempt before, ends what is left of it, and records the new start durably. */
export async function openAttempt(
  paths: AttemptPaths,
  place: AttemptWorkspace,
  scheduled: ScheduledTry,
  options: { takeOver: boolean } = { takeOver: false },
): Promise<Opening> {
  const now = Date.now();
  const stored = await readRecord(paths);
  const previous = stored === 'unreadable' ? undefined : stored;
  if (previous?.outcome !== undefined && isAnswerTo(previous, scheduled))
    return { kind: 'answered', outcome: previous.outcome };
  if (previous !== undefined && !options.takeOver && runsElsewhere(previous, scheduled)) {
    return { kind: 'elsewhere', run: previous.run };
  }
  const wasCut = stored === 'unreadable' || previous?.state === 'running' || previous?.state === 'handed-over';
  const past = previous?.startedAt === scheduled.startedAt || wasCut ? previous : undefined;
  const restored = place.restored ?? past?.restored;
  const openedAt = past === undefined ? now : past.openedAt;
  const record: RunningRecord = {
    state: 'running',
    run: randomBytes(6).toString('hex'),
    startedAt: scheduled.startedAt,
    schedule: scheduled.schedule,
    host: hostname(),
    mark: buildAttemptMark(paths),
    reruns: (past?.reruns ?? 0) + (wasCut ? 1 : 0),
    used: past?.used ?? nothingUsed,
    before: await stampsBefore(stored, past, place),
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(restored === undefined ? {} : { restored }),
    ...(past?.session === undefined ? {} : { session: past.session }),
    ...(past?.planWaits === undefined ? {} : { planWaits: past.planWaits }),
    ...(past?.lessons === undefined ? {} : { lessons: past.lessons }),
  };
  if (wasCut) return takeOver(paths, record, previous);
  await writeRecord(paths, owned(record), { durable: true });
  return { kind: 'opened', record: owned(record) };
}

async function takeOver(paths: AttemptPaths, record: RunningRecord, previous?: RunningRecord): Promise<Opening> {
  const orphan = previous ?? { host: hostname(), mark: record.mark };
  // Taken over first, with the old program still on record: a worker that was only thought dead sees that it lost the attempt, and
  // if we die here, the next one still knows whom to end.
  await writeRecord(paths, { ...owned(record), ...orphanOf(orphan) }, { durable: true });
  const { ended, left, unclear } = await endOrphan(orphan);
  if (left.length > 0 || unclear !== undefined) {
    // Without an owner: the next worker must not wait for us, who run nothing.
    await writeRecord(paths, { ...record, ...orphanOf(orphan), reruns: record.reruns - 1 });
    return { kind: 'held', groups: left, ...(unclear === undefined ? {} : { unclear }) };
  }
  const run = previous === undefined ? {} : { run: previous.run };
  return {
    kind: 'opened',
    record: owned(record),
    interrupted: { handedOver: previous?.state === 'handed-over', endedGroups: ended, ...run },
  };
}

function owned(record: RunningRecord): RunningRecord {
  const owner = readIdentity(process.pid);
  return owner === undefined ? record : { ...record, owner };
}

/** Stamps deliverables once, in the first execution: a later one must not take half-done work for the state before the attempt. */
async function stampsBefore(
  stored: RunningRecord | 'unreadable' | undefined,
  past: RunningRecord | undefined,
  place: AttemptWorkspace,
): Promise<Stamp[] | null> {
  if (past !== undefined) return past.before;
  return stored === 'unreadable' ? null : stampDeliverables(place.workspace, place.deliverables);
}

const isAnswerTo = (record: RunningRecord, scheduled: ScheduledTry): boolean =>
  scheduled.isRetry && record.startedAt === scheduled.startedAt && record.schedule === scheduled.schedule;

/** A worker that stood still may be taken for dead by Temporal alone. What an attempt from before a reset runs is not waited for. */
function runsElsewhere({ state, host, owner, startedAt }: RunningRecord, scheduled: ScheduledTry): boolean {
  if (state !== 'running' || startedAt !== scheduled.startedAt || host !== hostname() || owner === undefined)
    return false;
  return owner.pid !== process.pid && isAlive(owner);
}

function orphanOf({ host, mark, program }: Orphan): Orphan {
  return { host, mark, ...(program === undefined ? {} : { program }) };
}
