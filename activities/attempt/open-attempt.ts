import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import type { ExecuteInput, Execution } from '../../domain/model/attempt.ts';
import { endOrphan } from '../programs/orphan.ts';
import type { Orphan } from '../programs/orphan.ts';
import type { RunningPaths } from '../home-layout.ts';
import { readRecord, writeRecord } from './running-record.ts';
import type { RunningRecord } from './running-record.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';

/** How Temporal came to call us. */
export interface Call {
  workflowRun: string;
  schedule: string;
  /** Temporal repeats a call whose end it does not know. */
  isRetry: boolean;
}

export type Opening =
  /** The program may run; `interrupted` is the run that a crash or a stop of the worker cut off. */
  | { kind: 'opened'; record: RunningRecord; interrupted?: Interrupted }
  /** It ran to its end already; only the answer to Temporal was lost. */
  | { kind: 'answered'; execution: Execution }
  /** Its program from before cannot be ended: running a second one beside it would be worse than waiting. */
  | { kind: 'held'; groups: number[] };

export interface Interrupted {
  /** The worker stopped in an orderly way, and ended the program itself. */
  handedOver: boolean;
  /** Unknown when the record was damaged. */
  run?: string;
  endedGroups: number[];
}

/** Finds out what happened to this attempt before, ends what is left of it, and records the new start durably. */
export async function openAttempt(paths: RunningPaths, input: ExecuteInput, call: Call): Promise<Opening> {
  const found = await readRecord(paths);
  const known = found === 'unreadable' ? undefined : found;
  if (known?.result !== undefined && call.isRetry && known.schedule === call.schedule) {
    return { kind: 'answered', execution: known.result };
  }
  const wasCut = found === 'unreadable' || known?.state === 'running' || known?.state === 'handed-over';
  const past = known?.workflowRun === call.workflowRun || wasCut ? known : undefined;
  const record: RunningRecord = {
    state: 'running',
    run: randomBytes(6).toString('hex'),
    workflowRun: call.workflowRun,
    schedule: call.schedule,
    host: hostname(),
    idempotencyKey: input.idempotencyKey,
    reruns: (past?.reruns ?? 0) + (wasCut ? 1 : 0),
    // What the first start found: a rerun must not take the half-done work of the first for the state before the attempt.
    before: past?.before ?? (await stampDeliverables(input.workspace, input.deliverables)),
  };
  if (!wasCut) {
    await writeRecord(paths, record, { durable: true });
    return { kind: 'opened', record };
  }
  const orphan = known ?? { host: hostname(), idempotencyKey: input.idempotencyKey };
  // Taken over first, with the old program still on record: a worker that was only thought dead sees that it lost the attempt, and
  // if we die here, the next one still knows whom to end.
  await writeRecord(paths, { ...record, ...orphanOf(orphan) }, { durable: true });
  const { ended, left } = await endOrphan(orphan);
  if (left.length > 0) {
    await writeRecord(paths, { ...record, ...orphanOf(orphan), reruns: past?.reruns ?? 0 });
    return { kind: 'held', groups: left };
  }
  const run = known === undefined ? {} : { run: known.run };
  return {
    kind: 'opened',
    record,
    interrupted: { handedOver: known?.state === 'handed-over', endedGroups: ended, ...run },
  };
}

function orphanOf({ host, idempotencyKey, program }: Orphan): Orphan {
  return { host, idempotencyKey, ...(program === undefined ? {} : { program }) };
}
