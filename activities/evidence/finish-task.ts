import { Context } from '@temporalio/activity';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { LedgerFacts } from '../../domain/evidence/ledger.ts';
import type { FinishInput, FinishOutcome, LedgerInput } from '../../domain/types/basic/evidence.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import { toFailure } from '../temporal/failure.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { AttemptSnapshots } from '../workspace/snapshots/attempt-snapshots.ts';
import { openRepository } from '../workspace/snapshots/snapshots.ts';
import { withWorkspaceLock } from '../workspace/snapshots/workspace-lock.ts';
import { loadEvidence } from './pages.ts';
import { ledgerFiles, LedgerTrouble, writeLedger } from './write-ledger.ts';

export interface FinishParts {
  store: Pick<Store, 'get'>;
  /** Heddle's home. */
  root: string;
  secrets: { environment: PublicEnvironment };
}

/** The writer of the ledgers, as snapshots and undo name it: no subtask is called so. */
const ledgerWriter = '(ledger)';

/**
 * The activity `finishTask`: merges the records of a task into its ledgers, between two snapshots, so that undo of the task takes them back.
 * It changes nothing about how the task ended.
 */
export function createFinishTask(parts: FinishParts): (input: FinishInput) => Promise<FinishOutcome> {
  return async function finishTask(input) {
    const root = resolve(parts.root);
    const { environment } = parts.secrets;
    const deliverables = input.ledgers.flatMap(({ path }) => Object.values(ledgerFiles(path)));
    const about = { taskId: input.taskId, subtaskId: ledgerWriter, attempt: 1, workspace: input.workspace };
    const snapshots = new AttemptSnapshots(
      { root, environment, logger: Context.current().log },
      { ...about, deliverables },
    );
    try {
      const workspace = await realpath(input.workspace);
      const { folder } = openRepository({ root, environment }, workspace);
      await snapshots.start();
      const ledgers: FinishOutcome['ledgers'] = [];
      for (const ledger of input.ledgers) {
        const facts = await collectFacts(parts.store, input.taskId, ledger);
        // Two tasks that share a workspace may end at one moment.
        const deadline = performance.now() + activityLimits.workspace.commandTimeout;
        ledgers.push(await withWorkspaceLock(folder, deadline, () => write(workspace, ledger.path, facts)));
      }
      return { ledgers };
    } catch (error) {
      throw toFailure(error);
    } finally {
      await snapshots.end({ stopping: false });
    }
  };
}

async function write(workspace: string, path: string, facts: LedgerFacts): Promise<FinishOutcome['ledgers'][number]> {
  try {
    const { records, missing } = await writeLedger(workspace, path, facts);
    return { path, records: records.length, missing: missing.length };
  } catch (error) {
    if (!(error instanceof LedgerTrouble) && !(error instanceof SnapshotTrouble) && !isSystemError(error)) throw error;
    return { path, records: 0, missing: 0, trouble: error.message };
  }
}

async function collectFacts(store: Pick<Store, 'get'>, task: string, { subtasks }: LedgerInput): Promise<LedgerFacts> {
  const facts: LedgerFacts = { records: [], targets: [] };
  // One after the other: a plan may have thousands.
  for (const { subtask, page, completed } of subtasks) {
    const { records, targets } = await loadEvidence(store, page, subtask);
    if (completed) facts.records.push(...records);
    facts.targets.push(...targets.map((target) => ({ ...target, task, subtask })));
  }
  return facts;
}
