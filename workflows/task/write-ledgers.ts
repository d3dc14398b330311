import { CancellationScope, log, proxyActivities } from '@temporalio/workflow';
import { settingsOf } from '../../domain/task/read-state.ts';
import { listLedgers } from '../../domain/views/list-ledgers.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import { ledgerOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/** The records of a task that owes evidence go into its ledgers. Its end is settled: nothing cancels it, and trouble changes nothing. */
export async function writeLedgers({ state }: TaskRun): Promise<void> {
  const ledgers = state.plan.settings === null ? [] : listLedgers(state);
  if (ledgers.length === 0) return;
  const settings = settingsOf(state);
  const { finishTask } = proxyActivities<HostActivities>(ledgerOptions(settings));
  const { workspace } = settings;
  try {
    const outcome = await CancellationScope.nonCancellable(() => finishTask({ taskId: state.id, workspace, ledgers }));
    for (const { path, trouble } of outcome.ledgers)
      if (trouble !== undefined) log.warn('a ledger of evidence was not written', { path, trouble });
  } catch (error) {
    log.warn('the ledgers of evidence were not written', { error });
  }
}
